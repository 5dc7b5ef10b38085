from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.reader.coverage import (
    said_words,
    share_covered,
    unsaid_numbers,
    without_unsaid_dates,
)

DAY = date(2026, 5, 19)
"""A Tuesday."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NL is on adyen since this morning", "adyen since 19 May"),
        ("it moved last friday", "2026-05-15"),
        ("arrives thurs", "21 May"),
        ("freeze starts monday", "25 May"),
        ("prod is on pg 14", "pg 14"),
        ("nodes have 16gb", "16 GB"),
        ("we pay 14k now", "14,000 a month"),
        ("nightly starts at 5:30 in the morning", "05:30"),
        ("swimming tuesdays at 5", "Tuesdays 17:00"),
        ("the passport runs out on the 14th of february", "14 February 2026"),
        ("three of them, at half past ten", "3"),
        ("it wants 3.12", "Python 3.12"),
        ("we back up twice a day", "2 times a day"),
        ("he leaves on the ninth", "9 March"),
        ("away till the thirteenth of June", "13 June"),
        ("on the twenty-first of May", "21 May"),
        ("the roof is seventy five percent done", "75 %"),
        ("we charge eight and a half per cent", "8.5 %"),
    ],
)
def test_number_in_another_form_was_said(text, value):
    """Units, thousands, times of day and dates may be written otherwise."""
    assert unsaid_numbers(value, said_words([text], DAY)) == set()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("prod is on pg 14", "pg 15"),
        ("nodes have 16gb", "64 GB"),
        ("it wants 3.12", "3.1"),
        ("it wants 3.12", "12"),
        ("due on the 14th of february", "14 March 2019"),
        ("the nightly starts early", "05:30"),
        ("use port 80", "8080"),
        ("it moved last friday", "16 May"),
        ("the months are long", "25 May"),
    ],
)
def test_other_number_was_not_said(text, value):
    """A number is the same, or it is invented."""
    assert unsaid_numbers(value, said_words([text], DAY))


def test_words_may_have_other_endings():
    """A paraphrase is welcome: stems count."""
    said = said_words(["the billing-service was deployed to Kubernetes by the vendors"])

    assert share_covered("deploys to kubernetes", said) == 1.0
    assert share_covered("billing service vendor", said) == 1.0
    assert share_covered("deployed on nomad", said) == 0.5
    assert share_covered("nomad cluster", said) == 0.0


def test_number_in_words_counts_as_the_one_in_digits():
    """
    "1 lab of the 6" covers "one of six".
    """
    said = said_words(["you can skip 1 lab of the 6"])

    assert share_covered("six labs", said) == 1.0
    assert share_covered("seven labs", said) == 0.5


@pytest.mark.parametrize(
    ("value", "short"),
    [
        ("fibre 1G/1G since 23 October", "fibre 1G/1G"),
        ("8TB IronWolf, arrives Thu 16 October", "8TB IronWolf, arrives Thu"),
        ("Friday 24 April 15:30, union steps", "Friday 15:30, union steps"),
        ("Smilehaus (since October 17, 2025)", "Smilehaus"),
        ("Acme as of 2026-03-01", "Acme"),
        ("Mei from 20 April", "Mei from 20 April"),
        ("away from 2 to 13 June, getting married", "away, getting married"),
        ("17-24 October", "17-24 October"),
        ("the 77th of May", "the 77th of May"),
        ("port 7777", "port 7777"),
        ("16 February", "16 February"),
    ],
)
def test_date_that_was_not_said_is_taken_off(value, short):
    """
    A date goes, its weekday stays; so does what was said, and a value that is only a
    date or another number.
    """
    said = said_words(["thursday or friday 15:30, from the 20th of april"])
    assert without_unsaid_dates(value, said) == short


@given(st.text())
def test_text_covers_itself(text):
    """Whatever somebody says, they said."""
    said = said_words([text])

    assert unsaid_numbers(text, said) == set()
    assert share_covered(text, said) == 1.0
