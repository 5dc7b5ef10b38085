from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")

SUFFIXES = {".py", ".pyx", ".pxi", ".h", ".sql", ".toml", ".proto"}
GENERATED = ROOT / "festinger" / "api"
CITED = re.compile(r"\b[A-JL][0-9]{1,2}[a-z]?\b")
"""A decision's code, as `C5a`."""


def codes(folder: Path) -> set[str]:
    """Return the codes that the sources below a folder cite."""
    sources = (it for it in folder.rglob("*") if it.suffix in SUFFIXES)
    return {
        code
        for source in sources
        if not source.is_relative_to(GENERATED)
        for code in CITED.findall(source.read_text(encoding="utf-8"))
    }


def decided() -> list[str]:
    """Return the codes that head a paragraph of the page, in its order."""
    return re.findall(r"^### (\S+)$", PAGE, re.MULTILINE)


def place(code: str) -> tuple[str, int, str]:
    """Return the place of a code among others."""
    return code[0], int(code[1:].rstrip("abc")), code.lstrip("ABCDEFGHIJL0123456789")


@pytest.mark.parametrize("folder", ["festinger", "proto"])
def test_every_cited_decision_is_on_the_page(folder):
    """Whoever meets a code in the package finds what it means."""
    assert sorted(codes(ROOT / folder) - set(decided()), key=place) == []


def test_codes_are_found_in_sources():
    """Those of comments, of docstrings and of SQL."""
    assert {"C5a", "E4", "J12"} <= codes(ROOT / "festinger" / "core") | codes(
        ROOT / "festinger" / "rpc"
    )
    assert "B5" in codes(ROOT / "festinger" / "store")


def test_page_is_in_order():
    """Each code once, by letter and number, so that it is found by looking."""
    assert decided() == sorted(set(decided()), key=place)


def test_page_cites_what_it_has():
    """A decision that points to another one points to one of the page."""
    assert set(CITED.findall(PAGE)) - set(decided()) == set()
