"""Changes as people announce them, and sentences that only look like some."""

from __future__ import annotations

import pytest

from tests.core.language.test_statements import read

ANNOUNCED = [
    # A post in two clauses.
    ("Emma has a new teacher, Mr Bloom", "Emma teacher Mr Bloom", ""),
    ("there's a new caretaker, Ingrid Berg", "caretaker is Ingrid Berg", ""),
    ("we've got a new landlord, Ms Green", "landlord is Ms Green", ""),
    ("our new landlord is a Mrs Lind", "landlord is Mrs Lind", ""),
    ("Rosa stepped down as captain, Jade takes her place", "captain is Jade", "Rosa"),
    (
        "Tom resigned as treasurer of the club, Eve steps in",
        "club treasurer Eve",
        "Tom",
    ),
    ("Tom resigned as treasurer and Eve took over", "treasurer is Eve", "Tom"),
    # A post or a thing that is passed on.
    (
        "Pauline has passed the treasurer job on to Derek",
        "treasurer is Derek",
        "Pauline",
    ),
    ("Sofia has handed the book club to Amir", "book club owned by Amir", "Sofia"),
    ("Carol took billing over from Sasha", "billing owned by Carol", "Sasha"),
    # Other verbs of change.
    ("we flipped the currency from USD to EUR", "currency is EUR", "USD"),
    ("they put the fee up to 30 euros", "fee is 30 euros", ""),
    ("physio was put back to 11:00", "physio scheduled 11:00", ""),
    ("the price came down to 60 euros", "price costs 60 euros", ""),
    ("we set the retention to 14 days", "retention is 14 days", ""),
    ("change of plan, the offsite will be in Utrecht", "offsite located Utrecht", ""),
    ("customer calls are back to Tuesdays", "customer calls scheduled Tuesdays", ""),
    ("RabbitMQ is out, NATS is in", "we uses NATS", "RabbitMQ"),
    ("Carol replaced redis with valkey", "we uses valkey", "redis"),
    ("training has been switched to pitch 5", "training located pitch 5", ""),
    ("I turned the heating down to 19 degrees", "heating is 19 degrees", ""),
    ("the build is down to 9 minutes since the cache fix", "build is 9 minutes", ""),
    ("Norvik has a new CEO, Petra Lund", "Norvik ceo Petra Lund", ""),
    ("the app was rewritten in Flutter", "app written in Flutter", ""),
    ("we rewrote the app in Rust instead of Python", "app written in Rust", "Python"),
    ("our insurance is with Allianz now", "insurance with Allianz", ""),
]


@pytest.mark.parametrize(("text", "stated", "old"), ANNOUNCED)
def test_change_is_read_as_it_is_announced(text, stated, old):
    """With the old value where it is named."""
    (found,) = read(text)

    assert f"{found.subject} {found.predicate} {found.value}" == stated
    assert (found.changes, found.old_value) == (True, old)


STATED = [
    ("our daily sync is at 9:15 on Zoom", "daily sync scheduled 9:15"),
    ("the concert is on 3 May in the town hall", "concert scheduled 3 May"),
    ("the demo will be on 3 May", "demo scheduled 3 May"),
    ("the book club meets in the library", "book club located library"),
    ("we're on Python 3.12 everywhere", "we uses Python 3.12"),
    ("milk is delivered on Wednesdays", "milk delivered Wednesdays"),
    ("training is on pitch 2", "training located pitch 2"),
    ("the dose is 10 mg", "dose is 10 mg"),
]


@pytest.mark.parametrize(("text", "stated"), STATED)
def test_state_is_read_without_what_stands_behind_it(text, stated):
    """A place behind a time, or "everywhere", is no part of the value."""
    (found,) = read(text)

    assert f"{found.subject} {found.predicate} {found.value}" == stated
    assert not found.changes


def test_employer_that_somebody_quits_is_theirs_no_more():
    """
    "Tom quit smoking" names none.
    """
    (found,) = read("Nora quit Siemens, she is at a startup")

    assert (found.predicate, found.value, found.negated) == (
        "works at",
        "Siemens",
        True,
    )
    assert read("Tom quit smoking") == []


@pytest.mark.parametrize(
    "text",
    [
        # Orders.
        "set the timeout to 30 seconds",
        "cut the budget to 6500",
        # What happens once.
        "the bill came to 60 euros",
        "they put the kids to bed at 8",
        "Pauline passed the ball on to Derek",
        "Femi moved up to the seniors",
        "Tom turned up to 3 meetings",
        "the app was rewritten in a hurry",
        "I rewrote the intro in French",
        "please get the app rewritten in Flutter",
        "Anna is out, Ben is in",
        "Tom took the train over from Leeds",
        "we had a new vet, Dr Moss",
        # Of these people have several.
        "we have a new neighbour, Tom",
        "we have a new dog, Rex",
        # No name.
        "we have a new coach, finally",
        "Tom has a new boss, Berlin office",
        "Rosa stepped down as captain, nobody takes her place",
        "Tom retired as expected and Eve took over",
        # Uncertain.
        "the demo will probably be on 3 May",
        "the demo will not be on 3 May",
        "the demo will be on 3 May, with 30 people, if Ines has a build",
        "the offsite will be fun",
        "the offsite will be in Utrecht, I guess",
        "Rosa may have stepped down as captain, Jade takes over",
        # Of people, and of another time.
        "Anna is on Monday in Berlin",
        "the exam is on Monday in three weeks",
        "the club meets in the evening",
        "Tom is with Anna",
        "the trouble is with Tom",
    ],
)
def test_sentence_that_looks_like_a_change_states_nothing(text):
    """Orders, events and guesses are no changes."""
    assert read(text) == []
