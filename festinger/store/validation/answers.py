"""Reads and writes of candidates and of people's answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import asyncpg

from festinger.core.graph.candidates import Candidate
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.proposal import Triple
from festinger.core.validation.reputation import Reputations
from festinger.core.validation.votes import ValidationEvent
from festinger.errors import CandidateNotFound
from festinger.store.graph.rows import time_or_none, to_candidate, to_seconds, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, fields_of, sql, value_of
from festinger.store.system.tenancy import TenantReads
from festinger.store.validation.learningrows import to_reputation
from festinger.store.validation.questionrows import no_question
from festinger.store.validation.records import (
    AskedQuestion,
    CandidateUpdate,
    GoldAnswer,
    RaterState,
)
from festinger.store.world.batches import AggregateWrites, BatchTransaction


class AnswerReads(TenantReads):
    """Reads of one tenant's candidates and answers."""

    # Both are set by `PostgresReads`.
    async def candidate_by_cid(self, cid: str) -> Candidate:
        """Return the candidate with a content identifier, or `CandidateNotFound`."""
        row = await self._row("candidate_by_cid", cid)
        if row is None:
            # Cut, since it comes from a client.
            raise CandidateNotFound(
                f"there is no candidate {cid[:80]!r}", candidate_cid=cid[:80]
            )
        return to_candidate(row)

    async def candidate_by_external_id(self, external_id: str) -> Candidate | None:
        """Return the candidate with a client's external id; None if there is none."""
        row = await self._row("candidate_by_external_id", external_id)
        return to_candidate(row) if row else None

    async def pending_candidates(
        self, triples: Collection[Triple]
    ) -> dict[Triple, Candidate]:
        """Return the pending candidates of some statements."""
        if not triples:
            return {}
        rows = await self._rows("pending_candidates", *columns_of(triples))
        return {candidate.triple: candidate for candidate in map(to_candidate, rows)}

    async def candidates_over(self, now: float, limit: int) -> list[Candidate]:
        """Return expired candidates without a decision, oldest first."""
        rows = await self._rows("candidates_over", to_time(now), limit)
        return [to_candidate(row) for row in rows]

    async def events(self, candidate_id: int) -> list[ValidationEvent]:
        """Return the answers about a candidate, oldest first."""
        rows = await self._rows("events", candidate_id)
        return [to_event(row) for row in rows]

    async def event_of_delivery(
        self, bot_id: str, delivery: str
    ) -> ValidationEvent | None:
        """Return the answer with a bot's delivery id; None if there is none."""
        # A bot that was restarted may bring an answer twice.
        row = await self._row("event_of_delivery", bot_id, delivery)
        return to_event(row) if row else None

    async def breaker_until(self) -> float:
        """Return until when only moderators decide: seconds since the epoch, 0.0 for none."""
        whole = await self._row("breaker")
        # There is no row before anything is learned.
        return to_seconds(whole["open_until"]) if whole else 0.0

    async def rated(self) -> RaterState:
        """Return the reputations, and the time until which only moderators decide."""
        rows = await self._rows("reputations")
        whole = await self._row("breaker")
        of = {row["rater"]: to_reputation(row) for row in rows}
        # Nothing is learned yet: the defaults hold.
        if whole is None:
            return RaterState(Reputations(of))
        return RaterState(
            Reputations(of, whole["prior"]), to_seconds(whole["open_until"])
        )

    async def question_asked(self, question_id: int) -> AskedQuestion:
        """Return what the handling of an answer needs. Raises `QuestionNotFound`."""
        row = await self._row("question_asked", question_id)
        if row is None:
            raise no_question(question_id)
        return AskedQuestion(**row)  # the columns are its fields

    async def is_stated_since(self, candidate: Candidate) -> bool:
        """Return whether others have stated what a candidate's confirmation made."""
        found: bool = await self._value(
            "is_stated_since",
            *candidate.triple,
            candidate.confirmed_as,
            candidate.name,  # the rule of its own statement
        )
        return found


@dataclass(slots=True)
class AnswerWrites(AggregateWrites):
    """Writes of candidates and of what people say about them.

    Attributes:
        listed: The doubtful statements, each with its candidate.
        events: Answers about candidates.
        audits: Answers to gold questions.
        answered: The numbers of questions that are closed as answered.
        candidate_updates: New states of candidates.
    """

    listed: Sequence[LedgerEntry] = ()
    events: list[ValidationEvent] = field(default_factory=list)
    audits: list[GoldAnswer] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)
    candidate_updates: list[CandidateUpdate] = field(default_factory=list)

    async def prepare(self, transaction: BatchTransaction) -> None:
        """Write the candidates."""
        # The ledger's rows, written next, name their candidates.
        await _add_candidates(transaction.connection, transaction.tenant, self.listed)

    async def write(self, transaction: BatchTransaction) -> None:
        """Write the answers, the updates of candidates, and new items of the backlog."""
        connection, tenant = transaction.connection, transaction.tenant
        for event in self.events:
            await connection.execute(
                sql("add_event"),
                tenant,
                *fields_of(event, "cid candidate_id proposer responder role response"),
                *fields_of(event, "before_visible note bot_id context_message_cid"),
                event.question_id or None,  # a foreign key
                *fields_of(event, "delivery prompt_hash model_version message_cid"),
                to_time(event.created),
            )
        for audit in self.audits:
            await _audit(connection, tenant, audit, transaction.now)
        if self.answered or any(update.closes for update in self.candidate_updates):
            # Other transactions close several questions in another order: avoid deadlocks.
            await connection.execute(sql("lock_questions"), tenant)
        for question_id in self.answered:
            await connection.execute(
                sql("end_question"), tenant, question_id, "answered", transaction.now
            )
        for update in self.candidate_updates:
            await _update(connection, tenant, update, transaction.now)


async def _add_candidates(
    connection: Connection, tenant: str, entries: Sequence[LedgerEntry]
) -> None:
    """Add candidates for doubtful statements, one pending candidate per statement."""
    numbers = []
    for entry in entries:
        candidate = entry.candidate
        assert candidate is not None, "a candidate is listed before it is written"
        numbers.append(candidate.id)
        # Told with the outcome, so that the caller can ask about the candidate.
        entry.outcome = entry.outcome._replace(candidate_id=candidate.id)
        # Only the first statement makes a candidate; others count on it, and may raise it.
        if entry.is_new:
            await _add_candidate(connection, tenant, candidate, entry.id)
            continue
        candidacy = entry.proposal.candidacy
        await connection.execute(
            sql("count_on_candidate"),
            tenant,
            candidate.id,
            entry.proposal.confidence,
            candidacy.external_id if candidacy else "",  # the client's
        )
    if numbers:
        # Its numbers were told without reserving them.
        await connection.execute(sql("use_up"), tenant, "candidate", max(numbers) + 1)


async def _add_candidate(
    connection: Connection, tenant: str, candidate: Candidate, row: int
) -> None:
    """Add the candidate of a row of the ledger."""
    await connection.execute(
        sql("add_candidate"),
        tenant,
        candidate.id,
        *candidate.triple,
        *fields_of(candidate, "confidence source rule reason proposer author subject"),
        candidate.evidence,
        row,  # of the ledger
        to_time(candidate.created),
        *fields_of(candidate, "cid external_id predicate subject_raw object_raw"),
        *fields_of(candidate, "message_cid chunk_id channel extractor_version"),
        *fields_of(candidate, "prompt_hash model_version justification priority lane"),
        *fields_of(candidate, "sensitive contradicts"),
        time_or_none(candidate.expires),
    )


async def _update(
    connection: Connection, tenant: str, update: CandidateUpdate, now: datetime
) -> None:
    candidate = update.candidate
    await connection.execute(
        sql("update_candidate"),
        tenant,
        candidate.id,
        candidate.state,
        candidate.decider or None,
        time_or_none(candidate.decided),
        *fields_of(candidate, "decision_rule posterior belief"),
        candidate.confirmed_as or None,
        *fields_of(candidate, "flagged lane priority"),
        time_or_none(candidate.expires),
        candidate.cid or None,
        candidate.evidence_wanted,
    )
    # Also with questions that nobody has answered: they have no sense any more.
    if update.closes:
        await connection.execute(
            sql("end_questions"), tenant, candidate.id, update.closes, now
        )
    # Dreaming looks into what was rejected or left.
    if update.backlog:
        number = await connection.fetchval(sql("reserve"), tenant, "backlog", 1)
        await connection.execute(
            sql("add_backlog"),
            tenant,
            number,
            candidate.id,
            update.backlog,
            candidate.priority,
            now,
        )


async def _audit(
    connection: Connection, tenant: str, audit: GoldAnswer, now: datetime
) -> None:
    await connection.execute(
        sql("add_audit"),
        tenant,
        *fields_of(audit, "question_id responder answer disputed note"),
        now,
    )


def to_event(row: asyncpg.Record) -> ValidationEvent:
    """Convert a row to an answer."""
    return value_of(ValidationEvent, row)
