from __future__ import annotations

from festinger._fast import GraphLineKind, Line
from festinger.core.recollection.age import mark_age, without_age

FACT = Line("gnommoweb", "gnommoweb: [type] repo", GraphLineKind.RECOLLECTION, "named")
HINT = Line("gnommi", "What is gnommi?", GraphLineKind.HINT, "unknown")


def test_facts_say_their_age_and_hints_do_not():
    """A line about what is unknown cannot be out of date."""
    marked = mark_age([FACT, HINT], "14:05")

    assert [line.text for line in marked] == [f"{FACT.text} (as of 14:05)", HINT.text]


def test_age_is_taken_off_again():
    """The text of a marked line without its mark is the line's own; other texts stay."""
    [marked] = mark_age([FACT], "14:05")

    assert without_age(marked.text) == FACT.text
    assert without_age("as of 14:05 (as of noon)") == "as of 14:05 (as of noon)"
