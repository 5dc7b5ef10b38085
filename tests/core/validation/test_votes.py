from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.validation.votes import (
    EventResponse,
    ValidationEvent,
    Vote,
    VoteAnswer,
    VoterRole,
    last_votes,
    tally,
    together,
    votes_of,
)
from tests.core.validation.crowds import vote

VOTES = st.lists(
    st.builds(
        Vote,
        task=st.sampled_from(["t", "u"]),
        rater=st.sampled_from("abc"),
        answer=st.sampled_from(VoteAnswer),
        cast_at=st.sampled_from([1.0, 2.0, 3.0]),
        before_visible=st.booleans(),
        withdrawn=st.booleans(),
        role=st.sampled_from(VoterRole),
    ),
    max_size=12,
)


def test_last_answer_counts():
    """Whatever was said before, and in whatever order it is read."""
    cast = [vote("a", "n", at=2), vote("a", "y", at=3), vote("a", "n", at=1)]

    assert tally(cast) == {"t": {"a": True}}


def test_withdrawn_does_not_count():
    """The answer before it counts again."""
    cast = [vote("a", "n", at=1), vote("a", "y", at=2, withdrawn=True)]

    assert tally(cast) == {"t": {"a": False}}
    assert tally(cast[1:]) == {}


def test_abstaining_takes_an_answer_back():
    """The task stays, with nobody's answer."""
    assert tally([vote("a", "y", at=1), vote("a", "-", at=2)]) == {"t": {}}


def test_two_answers_of_a_moment_are_none():
    """Nobody can tell which was meant."""
    assert tally([vote("a", "y"), vote("a", "n")]) == {"t": {}}
    assert tally([vote("a", "y"), vote("a", "y")]) == {"t": {"a": True}}


@given(VOTES, st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_order_of_votes_means_nothing(cast, source):
    """Times decide, not the order of lines; nobody is counted twice on a task."""
    shuffled = list(cast)
    source.shuffle(shuffled)

    standing = last_votes(cast)
    assert tally(shuffled) == tally(cast)
    assert list(tally(shuffled)) == list(tally(cast))
    said = [it for it in standing if it.answer is not VoteAnswer.ABSTAIN]
    again = [it for it in last_votes(shuffled) if it.answer is not VoteAnswer.ABSTAIN]
    assert again == said
    pairs = [(it.task, it.rater) for it in standing]
    assert len(pairs) == len(set(pairs))


def test_bloc_counts_once():
    """As most of its accounts say; if they are divided it says nothing."""
    bloc_of = {"a": "a", "b": "a", "c": "a", "d": "d", "e": "d"}

    said = together({"a": True, "b": True, "c": False, "d": True, "e": False}, bloc_of)
    assert said == {"a": True}
    assert together({"z": True, "x": False}, {}) == {"z": True, "x": False}


# Answers as votes: what is taken back, and what is said twice

YES, NO, BACK = EventResponse.CONFIRMED, EventResponse.REJECTED, EventResponse.WITHDRAWN
FIRST = ValidationEvent(
    candidate_id=1,
    candidate_cid="bafy",
    proposer="microllm",
    responder="alice",
    role=VoterRole.COMMUNITY,
    response=YES,
    before_visible=True,
    created=1.0,
)


def said(*responses: EventResponse) -> list[ValidationEvent]:
    """Alice's answers one after the other; only the first time she saw nothing."""
    return [
        replace(FIRST, response=each, created=float(at), before_visible=at == 0)
        for at, each in enumerate(responses)
    ]


@pytest.mark.parametrize(
    ("responses", "answer", "blind"),
    [
        ((YES,), VoteAnswer.YES, True),
        ((YES, YES), VoteAnswer.YES, True),
        ((YES, YES, YES), VoteAnswer.YES, True),
        ((YES, NO), VoteAnswer.NO, False),
        ((YES, NO, YES), VoteAnswer.YES, False),
        ((YES, NO, BACK), VoteAnswer.YES, True),
        ((YES, YES, BACK), VoteAnswer.YES, True),
    ],
)
def test_what_is_said_twice_was_known_the_first_time(responses, answer, blind):
    """
    A second click on the same answer leaves it as blind as it was; another answer does
    not, and what is taken back never was.
    """
    [vote] = last_votes(votes_of(said(*responses)))

    assert (vote.answer, vote.before_visible) == (answer, blind)


def test_all_that_is_taken_back_leaves_nothing():
    """A person who takes everything back has said nothing."""
    assert last_votes(votes_of(said(YES, YES, BACK, BACK, BACK))) == []
