"""The pages for contributors agree with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ["CONTRIBUTING.md", "SECURITY.md", "README.md", "docs/architecture.md"]

NAMED = re.compile(
    r"`((?:festinger|tests|proto|clients|benchmarks|docs)/[\w./-]*|requirements)`"
)
"""A path of the repository, in a sentence."""
LINK = re.compile(r"\]\(([^)#:]*)(?:#([\w-]+))?\)")
TARGET = re.compile(r"`((?:test|bench|part)(?:-[a-z-]+)?)`|make ([a-z-]+)")


def text_of(page: str) -> str:
    """Return a page as it is written."""
    return (ROOT / page).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings that links may use."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", it.lower()).replace(" ", "-") for it in headings}


@pytest.mark.parametrize("page", PAGES)
def test_named_files_are_there(page):
    """Whoever follows a page finds what it names; capitals stand for a name of one's own."""
    named = {it for it in NAMED.findall(text_of(page)) if "NAME" not in it}

    assert {it for it in named if not (ROOT / it).exists()} == set()


@pytest.mark.parametrize("page", [*PAGES, "docs/decisions.md"])
def test_links_lead_somewhere(page):
    """To a file that is there, and to a heading of it."""
    here = ROOT / page
    for file, heading in LINK.findall(text_of(page)):
        there = (here.parent / file).resolve() if file else here
        assert there.exists(), file
        assert not heading or heading in anchors(there), f"{file}#{heading}"


def test_named_make_targets_are_there():
    """The contributor's page tells of targets that make has."""
    makefile = text_of("Makefile")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    for kind, variable in (("part", "TESTS"), ("test", "NEEDS")):
        names = re.findall(rf"^{variable}_([\w-]+) +:=", makefile, re.MULTILINE)
        targets |= {f"{kind}-{name}" for name in names}
    told = {a or b for a, b in TARGET.findall(text_of("CONTRIBUTING.md"))}

    assert told
    assert told - targets == set()


def test_named_tests_are_there():
    """A recipe that says which table a row belongs to names a test that there is."""
    sources = "".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("*.py")
    )
    told = re.findall(r"`(test_\w+)`", text_of("CONTRIBUTING.md"))

    assert told
    assert [it for it in told if f"def {it}(" not in sources] == []


def test_waves_have_an_extract_step():
    """Between reading and reviewing, with the files of its report."""
    steps = re.findall(r"^\d\. \*\*(\w+)\*\*", text_of("docs/how-to/review.md"), re.M)

    assert steps == ["Read", "Extract", "Review"]
    assert "candidates.ndjson" in text_of("docs/how-to/review.md")
