"""Sentences about a later time: when it comes, and how they are read then."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.future_times import as_begun, start_of
from festinger.core.language.statements import read_begun
from festinger.core.language.utterances import read_turn

SAID = datetime(2026, 11, 5, 10, tzinfo=UTC).timestamp()


def begun(text):
    """Return what a sentence says of a later time, in words."""
    origin = StatementOrigin(
        "", "alice", "alice", "", "s", SAID, b"d", StatementReader.RULES
    )
    read = read_begun(read_turn(text), origin)
    return [f"{it.subject} {it.predicate} {it.value}" for it in read]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("from January the rent is 1240 euros", "2027-01-01"),
        ("as of 1 March 2028 the office is in Porto", "2028-03-01"),
        ("from the end of January the office is in Porto", "2027-02-01"),
        ("from next month the fee is 30 euros", "2026-12-01"),
        ("from 28 November the fee is 30 euros", "2026-11-28"),
        ("the standup moves to 10:00 in January", "2027-01-01"),
        ("not from January but from March the fee is 30 euros", "2027-03-01"),
        # What began before, what ends, and what was so is no plan.
        ("from 3 November the fee is 30 euros", ""),
        ("from September the fee is 30 euros", ""),
        ("from March to June the pool is closed", ""),
        ("we met in January", ""),
        ("the deadline moved from 3 January to 10 January", ""),
    ],
)
def test_sentence_says_when_it_begins(text, start):
    """A month without a year is the next one, unless that is more than half a year ahead."""
    found = start_of(text, SAID)

    assert (str(datetime.fromtimestamp(found, UTC).date()) if found else "") == start


def test_start_that_nobody_knows_never_comes():
    """A season has no day on which it begins."""
    assert start_of("from next season the fee is 30 euros", SAID) == float("inf")


def test_sentence_is_read_as_if_said_on_the_day():
    """Words of the future become words of the present."""
    assert (
        as_begun("The rent will be 1240 euros from January")
        == "The rent is 1240 euros from now on"
    )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("From January the rent is 1240 euros", "rent is 1240 euros"),
        ("The fee rises to 30 euros on 1 January", "fee is 30 euros"),
        ("Billing will run on kubernetes from March", "Billing runs on kubernetes"),
        ("Lena takes over the newsletter from January", "newsletter owned by Lena"),
        ("We will use Slack from January", "we uses Slack"),
        ("Choir is on thursdays from January", "Choir scheduled thursdays"),
        ("Tom will work at Globex from January", "Tom works at Globex"),
    ],
)
def test_later_time_has_statements_of_its_own(text, read):
    """In many walks of life."""
    assert begun(text) == [read]


@pytest.mark.parametrize(
    "text",
    [
        "Will the rent be 1240 euros from January?",
        "If Tom agrees the rent will be 1240 euros from January.",
        "The rent will probably be 1240 euros from January.",
        "The rent will not be 1240 euros from January.",
        "Maybe billing moves to kubernetes in January.",
        "Tom said from January the fee is 30 euros.",
        "The landlord wants 1240 euros from January.",
        "The plan: from January the rent is 1240 euros.",
        "In January I will be in Lisbon.",
        "She goes to Madrid in January.",
        "From January the fee is 30 euros, I think.",
        "Nobody takes over the newsletter from January.",
    ],
)
def test_what_may_come_is_no_statement(text):
    """Questions, wishes, reports and journeys stay what they are."""
    assert begun(text) == []
