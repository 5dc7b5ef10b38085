from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.audience import EVERYBODY, audience_of, may_hear

PEOPLE = ["Ada", "Ben", "Carl", "Nan"]


def hears(text, asker, speaker="Ada"):
    """Return whether somebody may be told of a turn."""
    return may_hear(audience_of(text), asker, speaker, PEOPLE)


@pytest.mark.parametrize(
    "text",
    [
        "the party is on the 4th, don't tell Nan",
        "dont tell nan but we sold the piano",
        "keep it from Nan please, the car is gone",
        "Never mention this to Nan: the vase broke.",
    ],
)
def test_something_is_kept_from_somebody(text):
    """The persons named may not hear of it; the others may."""
    assert not hears(text, "Nan")
    assert hears(text, "Ben")


@pytest.mark.parametrize(
    "text",
    [
        "between us, the office moves to Leeds",
        "this is confidential for now: we lose the Hartley account",
        "keep this to yourself, Carl is leaving",
    ],
)
def test_something_is_for_nobody_else(text):
    """A confidential sentence is told to its speaker only."""
    assert hears(text, "Ada")
    assert not hears(text, "Ben")


def test_something_is_for_those_who_are_named():
    """
    "Confidential: only Ben and Carl" lets these two hear it.
    """
    text = "Confidential, only Ben and Carl know: the tender is 40k."
    assert hears(text, "Ben")
    assert hears(text, "Carl")
    assert not hears(text, "Nan")


def test_what_is_kept_from_outsiders_limits_no_colleague():
    """
    "Don't tell the customer" withholds nothing here.
    """
    assert audience_of("don't tell the customer, but v3 slips a week") == EVERYBODY


@given(st.text(max_size=300))
def test_no_text_crashes(text):
    """Any text has an audience, and its speaker is always in it."""
    assert may_hear(audience_of(text), "Ada", "Ada", PEOPLE)
