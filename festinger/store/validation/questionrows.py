"""Conversion of rows to questions and other core values."""

from __future__ import annotations

import json
from typing import Any

import asyncpg

from festinger.core.graph.candidates import Candidate, CandidateState, Lane
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.core.validation.escalation import PostedQuestion, UndecidedCase
from festinger.core.validation.events import EventResponse
from festinger.core.validation.questions import (
    Question,
    QuestionState,
    QuestionTarget,
    outcome_of,
)
from festinger.core.validation.tones import QuestionAudience
from festinger.errors import QuestionNotFound
from festinger.store.system.queries import fields_of
from festinger.store.system.values import value_of

# Abstentions and withdrawals are no votes.
_VOTES = {EventResponse.CONFIRMED, EventResponse.REJECTED}


def to_question(row: asyncpg.Record) -> Question:
    """Convert a row to a question, with its candidate's identifier and outcome."""
    # A question is about an item of the inbox or about a candidate.
    is_item = row["number"] is not None
    return value_of(
        Question,
        row,
        item=str(to_ref(row)) if is_item else "",
        state=QuestionState(row["status"]),
        # What became of an item is kept as text; of a candidate it follows from its state.
        outcome=row["outcome"]
        if is_item
        else outcome_of(
            row["closed_because"],
            CandidateState(row["candidate_status"]),
            belief=row["belief"],
            gold=row["gold"],
        ),
    )


def to_case(candidate: Candidate, row: asyncpg.Record) -> UndecidedCase:
    """Return a candidate with its questions and those who answered."""
    # Pairs of a person and their response, the last one of each.
    said = dict(map(json.loads, row["said"]))
    return UndecidedCase(
        candidate,
        [
            PostedQuestion(
                QuestionAudience(Lane(lane), recipient, channel),
                QuestionState(state),
                float(created),
            )
            # Rows within a row, as JSON.
            for lane, recipient, channel, state, created in map(
                json.loads, row["asked"]
            )
        ],
        voters=frozenset(who for who, response in said.items() if response in _VOTES),
        answered=frozenset(said),
        evidence_asked=row["evidence_asked"],
        elsewhere=frozenset(
            QuestionTarget(*json.loads(spot)) for spot in row["elsewhere"]
        ),
    )


def to_ref(row: asyncpg.Record) -> InboxRef:
    """Convert a row to the name of an item."""
    return InboxRef(InboxPlace(row["place"]), row["number"])


def to_spot(row: asyncpg.Record) -> QuestionTarget:
    """Convert a row to the target of a question."""
    return QuestionTarget(row["recipient"], row["channel"])


def no_question(question_id: int) -> QuestionNotFound:
    """Return the error for a question that does not exist."""
    return QuestionNotFound(
        f"there is no question {question_id}", question_id=str(question_id)
    )


def arguments_of(question: Question) -> tuple[Any, ...]:
    """Return a new question as arguments of `add_question`, up to what it is about."""
    ref = InboxRef.parse(question.item) if question.item else None
    return (
        question.candidate_id or None,
        *fields_of(question, "bot lane recipient channel text why prompt_hash"),
        *fields_of(question, "evidence gold_answer"),
        # None and None, if it is about a candidate.
        ref and ref.place,
        ref and ref.number,
    )
