"""Rows of questions: their conversion to core values, and their writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import asyncpg

from festinger.core.graph.candidates import Candidate, CandidateState, Lane
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.core.validation.escalation import PostedQuestion, UndecidedCase
from festinger.core.validation.planning import PlannedQuestion
from festinger.core.validation.posting import PostingReport, PostingResult
from festinger.core.validation.questions import (
    Question,
    QuestionState,
    QuestionTarget,
    outcome_of,
)
from festinger.core.validation.tones import QuestionAudience
from festinger.core.validation.votes import EventResponse
from festinger.errors import InvalidArgument, LeaseLost, QuestionNotFound
from festinger.store.graph.rows import time_or_none, to_seconds, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql, value_of

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


def digest_key(question: Question) -> tuple[QuestionTarget, float]:
    """Return what the questions of one digest have in common."""
    # Questions that go to the same place at the same time share a message.
    return question.spot, question.due


async def digests_of(
    connection: Connection, tenant: str, planned: Sequence[PlannedQuestion]
) -> dict[tuple[QuestionTarget, float], int]:
    """Return the numbers of the waiting digests and of new ones."""
    rows = await connection.fetch(sql("waiting_digests"), tenant)
    known = {
        (to_spot(row), to_seconds(row["due_at"])): row["digest_id"] for row in rows
    }
    # Reserved at once, in the order of their keys, for all new digests.
    fresh = {digest_key(it.question) for it in planned if it.digest} - known.keys()
    if fresh:
        first = await connection.fetchval(sql("reserve"), tenant, "digest", len(fresh))
        known |= {key: first + place for place, key in enumerate(sorted(fresh))}
    return known


async def save_question(
    connection: Connection, tenant: str, question: Question
) -> None:
    """Save a question and release its lease.

    Raises:
        InvalidArgument: Another question has its reference.
    """
    try:
        await connection.execute(
            sql("save_question"),
            tenant,
            *fields_of(question, "id state platform reference context_message_cid"),
            *fields_of(question, "shown attempts last_error"),
            to_time(question.due),
            time_or_none(question.posted),
            time_or_none(question.closed),
        )
    # A unique index: one question for each message, but for those of a digest.
    except asyncpg.UniqueViolationError:
        raise InvalidArgument(
            "another question was posted with this reference: only those of one digest "
            "share a message",
            field="reference",
        ) from None


def check_lease(
    row: asyncpg.Record, lessee: str, report: PostingReport, now: float
) -> None:
    """Check that the reporter of a question holds its lease.

    Raises:
        LeaseLost: Another process posts the question, or has posted it.
    """
    holder = row["leased_by"]
    # A bot whose lease has run out may still report, while nobody else has the question.
    lost = holder and str(holder) != lessee and to_seconds(row["leased_until"]) > now
    posted = row["reference"] and report.result is PostingResult.POSTED
    # Posted twice: whoever reports second has to take its message back.
    if lost or (posted and row["reference"] != report.reference):
        raise LeaseLost(
            f"question {row['id']} is another's by now: take back what was posted",
            question_id=str(row["id"]),
        )
