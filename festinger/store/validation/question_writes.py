"""Writes of questions, within the transaction of the caller."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from festinger.core.validation.planning import PlannedQuestion
from festinger.core.validation.posting import PostingReport, PostingResult
from festinger.core.validation.questions import Question, QuestionTarget
from festinger.errors import InvalidArgument, LeaseLost
from festinger.store.graph.rows import time_or_none, to_seconds, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql
from festinger.store.validation.questionrows import to_spot


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
