from __future__ import annotations

import pytest

from festinger.core.lines.turns import digest_of
from festinger.core.recollection.succession import (
    EarlierLine,
    later_text,
    successor_of,
)
from festinger.core.recollection.weighing import shipped
from tests.core.recollection.test_succession import index_of


def may_change(earlier, later):
    """Return whether a later sentence may change an earlier one."""
    index = index_of(earlier, later)
    (first,), (second,) = (
        index.sources.turn_of(digest_of(it)) for it in (earlier, later)
    )
    return EarlierLine(index, first).may_change(later_text(second, first))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("we should move the shop to Odoo", "moved it to the week after"),
        ("we stay four nights at the lake", "so for now we stay on paper forms"),
        ("the tax return is due in january", "so I am on duty from january now"),
        ("the van is called Bertha", "the play is called Foghorn now"),
        ("rehearsal is on the first monday", "a new cook starts on monday"),
    ],
)
def test_what_happens_and_when_is_no_topic(earlier, later):
    """Sentences that share only a verb of change, a day or a naming are about two things."""
    assert not may_change(earlier, later)


@pytest.mark.parametrize(
    "later",
    [
        "if Halla raises the rent again we leave the boathouse",
        "Orm wants to switch the boathouse to gas",
        "thinking about moving the boathouse",
        "we might sell the boathouse",
        "a new boathouse would need oak",
    ],
)
def test_a_supposed_change_changes_nothing(later):
    """A thought, a plan or a fear is not so yet."""
    assert not may_change("the boathouse is heated with oil", later)


def test_other_news_of_somebody_change_nothing():
    """Of one person there is much to tell that leaves the rest as it was."""
    earlier = "my manager Orm plays the tuba"

    assert not may_change(earlier, "on friday Orm has moved to the ground floor")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("my car is an old Volvo", "we sold the Volvo"),
        ("our bookkeeper is Orm", "it was sad that Orm resigned"),
        ("the clerk is Livia, 29", "for the sequel Livia is 31 now"),
        ("the plot costs 48 a year", "it is 56 this year, not 48"),
        ("the probe hangs on rack-2", "rack-2 is empty now"),
    ],
)
def test_an_end_or_another_value_changes_what_was_said_of_a_name(earlier, later):
    """So does a value that is denied, and any news of a thing with a code for a name."""
    assert may_change(earlier, later)


BOOKS = "for the books of the last ten years Orm from the harbour office is to be asked"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (BOOKS, "just heard that Orm quit and nobody replaces him"),
        (BOOKS, "so Orm is leaving for the sea"),
        (
            "my car is an old green Volvo with a roof rack",
            "we sold the Volvo for parts",
        ),
        (
            "invoices and the wiki run on rack-b in the cellar",
            "rack-b died in the storm",
        ),
    ],
)
def test_who_is_gone_is_told_with_what_they_were(earlier, later):
    """Of a name that ended nothing that was said is told as if it went on."""
    index = index_of(earlier, later)
    (line,) = index.sources.turn_of(digest_of(earlier))

    found = successor_of(index, line, shipped())

    assert found is not None
    assert found.text == later


@pytest.mark.parametrize(
    "later",
    [
        "it seems that Orm left the keys in the boat on sunday",
        "and then Orm quit smoking over the summer",
        "now Orm sold his boat to the ferrymen",
    ],
)
def test_who_leaves_a_thing_is_not_gone(later):
    """A verb with an object of its own is another piece of news."""
    index = index_of(BOOKS, later)
    (line,) = index.sources.turn_of(digest_of(BOOKS))

    assert successor_of(index, line, shipped()) is None
