"""Values that a sentence denies."""

from __future__ import annotations

import pytest

from festinger.core.language.denials import denied_values, has_value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Escalation is after 8 minutes instead of 5.", ("5",)),
        ("So Freya drives, not Ollie.", ("Ollie",)),
        ("friday 19 june and not 12, because a ship comes", ("12",)),
        ("they went from 9:30 to 10:15", ("9:30",)),
        ("our bank isn't with Holt any more", ("Holt",)),
        ("it is 2,500 and not the $3,000 we asked for", ("$3,000",)),
        ("no tuesday, it's thursday at 8", ("tuesday",)),
        ("no more mondays, its tuesday now", ("mondays",)),
        ("the desk is not the 14th, it's the 20th", ("14th",)),
        # With a comma the day is the one that holds.
        ("no, tuesday, it's in the calendar", ()),
        # Nothing that is written like a value.
        ("I'm not sure, not yet, and not on the list", ()),
        ("Tom isn't here", ()),
        ("from Monday on it is quiet", ()),
        ("I have a note from Anna", ()),
    ],
)
def test_values_are_numbers_days_and_names_behind_a_denial(text, values):
    """A single word of each is enough to find it."""
    assert denied_values(text) == values


@pytest.mark.parametrize(
    ("text", "value", "has"),
    [
        ("leaves at 9:40", "9:40", True),
        ("leaves at 9:40.", "9:40", True),
        ("version 1.7", "7", False),
        ("after 15 minutes", "5", False),
        ("OLLIE drives", "Ollie", True),
        ("pg-12 is old", "12", False),
        ("bins are mon and thu", "mondays", True),
        ("we sat in the sun", "sunday", False),
        ("the desk comes march 14", "14th", True),
        ("14 desks", "14th", False),
    ],
)
def test_value_is_a_word_of_its_own(text, value, has):
    """Never a part of a longer number or name."""
    assert has_value(text, value) is has
