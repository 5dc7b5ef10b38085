"""Each requirement of the specifications is shown by a test, or changed by a decision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| (?P<number>[^ |]+) \| (?P<text>[^|]+) \| (?P<shown>[^|]*) \|$")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
DECISION = re.compile(
    r"\[([A-L]\d+[a-z]?)\]\(\.\./docs/decisions\.md#([a-l]\d+[a-z]?)\)"
)
HEADERS = {"No.", "---"}


class Requirement(NamedTuple):
    """A line of the page."""

    number: str
    text: str
    shown: str

    @property
    def tests(self) -> list[tuple[str, str]]:
        """Files and names of the tests that show it."""
        return TEST.findall(self.shown)

    @property
    def decisions(self) -> list[tuple[str, str]]:
        """Names and anchors of the decisions that changed it."""
        return DECISION.findall(self.shown)


def rows(page: str) -> Iterator[Requirement]:
    """The lines of the page's tables; a line of another form is one without anything."""
    for line in page.splitlines():
        if not line.startswith("|"):
            continue
        found = ROW.match(line)
        if found is None:
            yield Requirement(line, "", "")
        elif found["number"] not in HEADERS:
            yield Requirement(found["number"], found["text"], found["shown"].strip())


PAGE = (ROOT / "tests" / "requirements.md").read_text(encoding="utf-8")
REQUIREMENTS = list(rows(PAGE))
DECISIONS = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")


def missing(requirement: Requirement) -> str:
    """Return the mistakes of a line; empty if there is none."""
    if not (requirement.tests or requirement.decisions):
        return "neither a test nor a decision"
    rest = DECISION.sub("", TEST.sub("", requirement.shown)).strip()
    if rest:
        return f"{rest!r} is neither a test nor a decision"
    for file, name in requirement.tests:
        path = ROOT / file
        if not path.is_file() or not re.search(
            rf"^ *(?:async )?def {name}\(", path.read_text("utf-8"), re.MULTILINE
        ):
            return f"{file} has no {name}"
    for code, anchor in requirement.decisions:
        if code.lower() != anchor or f"### {code}\n" not in DECISIONS:
            return f"no decision {code}"
    return ""


def test_every_requirement_is_shown_or_changed():
    """By a test that is there, or by a decision that is on the page of decisions."""
    assert {it.number: why for it in REQUIREMENTS if (why := missing(it))} == {}


def test_every_document_is_there():
    """With a number for each requirement, once."""
    numbers = [it.number for it in REQUIREMENTS]

    assert len(numbers) == len(set(numbers)) > 250
    assert re.findall(r"^## (\d)\. ", PAGE, re.MULTILINE) == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    "line",
    [
        "| 1.1 | Nothing shows it | |",
        "| 1.1 | Only words | open |",
        "| 1.1 | No such test | `tests/test_requirements.py::test_nothing` |",
        "| 1.1 | No such file | `tests/test_nothing.py::test_nothing` |",
        "| 1.1 | No such decision | [Z9](../docs/decisions.md#z9) |",
        "| 1.1 | No such anchor | [C1](../docs/decisions.md#c99) |",
        "| 1.1 | A column too few |",
    ],
)
def test_line_without_either_would_be_seen(line):
    """Neither a name that stands for nothing nor a broken line passes."""
    (found,) = rows(line)

    assert missing(found)
