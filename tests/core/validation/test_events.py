"""Answers as votes: what is taken back, and what is said twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from festinger.core.validation.votes import (
    EventResponse,
    ValidationEvent,
    VoteAnswer,
    VoterRole,
    last_votes,
    votes_of,
)

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
