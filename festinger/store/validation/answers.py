"""Reads and writes of candidates and of people's answers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import asyncpg

from festinger.core.graph.candidates import Factoid
from festinger.core.graph.changes import Changes
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.validation.events import EventResponse, ValidationEvent
from festinger.core.validation.fitting import Skill
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import VoterRole
from festinger.errors import FactoidNotFound, QuestionNotFound
from festinger.store.graph.rows import to_factoid, to_seconds, to_time
from festinger.store.system.pool import Connection, Pool, acquired
from festinger.store.system.queries import sql
from festinger.store.world.batches import AskedQuestion, Audit, Batch, Rated, Ruling


class AnswerReads:
    """Reads of one tenant's candidates and answers."""

    _connection: Connection
    _tenant: str

    async def factoid_by_cid(self, cid: str) -> Factoid:
        """Return the candidate with a content identifier.

        Raises:
            FactoidNotFound: There is no such candidate.
        """
        row = await self._connection.fetchrow(sql("factoid_by_cid"), self._tenant, cid)
        if row is None:
            raise FactoidNotFound(
                f"there is no candidate {cid[:80]!r}", factoid_cid=cid[:80]
            )
        return to_factoid(row)

    async def factoid_by_external_id(self, external_id: str) -> Factoid | None:
        """Return the candidate with a client's external id; None if there is none."""
        row = await self._connection.fetchrow(
            sql("factoid_by_external_id"), self._tenant, external_id
        )
        return to_factoid(row) if row else None

    async def pending_factoids(
        self, triples: Collection[Triple]
    ) -> dict[Triple, Factoid]:
        """Return the pending candidates of some statements."""
        if not triples:
            return {}
        columns = [list(column) for column in zip(*triples, strict=True)]
        rows = await self._connection.fetch(
            sql("pending_factoids"), self._tenant, *columns
        )
        found = map(to_factoid, rows)
        return {factoid.triple: factoid for factoid in found}

    async def factoids_over(self, now: float, limit: int) -> list[Factoid]:
        """Return expired candidates without a decision, oldest first."""
        rows = await self._connection.fetch(
            sql("factoids_over"), self._tenant, to_time(now), limit
        )
        return [to_factoid(row) for row in rows]

    async def events(self, factoid_id: int) -> list[ValidationEvent]:
        """Return the answers about a candidate, oldest first."""
        rows = await self._connection.fetch(sql("events"), self._tenant, factoid_id)
        return [to_event(row) for row in rows]

    async def event_of_delivery(
        self, bot_id: str, delivery: str
    ) -> ValidationEvent | None:
        """Return the answer with a bot's delivery id; None if there is none."""
        row = await self._connection.fetchrow(
            sql("event_of_delivery"), self._tenant, bot_id, delivery
        )
        return to_event(row) if row else None

    async def breaker_until(self) -> float:
        """Return the time until which only moderators decide.

        Returns:
            Seconds since the epoch; 0.0 for none.
        """
        whole = await self._connection.fetchrow(sql("breaker"), self._tenant)
        return to_seconds(whole["open_until"]) if whole else 0.0

    async def rated(self) -> Rated:
        """Return the reputations, and the time until which only moderators decide."""
        rows = await self._connection.fetch(sql("reputations"), self._tenant)
        whole = await self._connection.fetchrow(sql("breaker"), self._tenant)
        of = {
            row["rater"]: Reputation(
                Skill(row["yes_skill"], row["no_skill"]),
                row["of_true"],
                row["of_false"],
                row["bloc"],
            )
            for row in rows
        }
        if whole is None:
            return Rated(Reputations(of))
        return Rated(Reputations(of, whole["prior"]), to_seconds(whole["open_until"]))

    async def question_asked(self, question_id: int) -> AskedQuestion:
        """Return the part of a question that the handling of its answer needs.

        Raises:
            QuestionNotFound: There is no such question.
        """
        row = await self._connection.fetchrow(
            sql("question_asked"), self._tenant, question_id
        )
        if row is None:
            raise QuestionNotFound(
                f"there is no question #{question_id}", question_id=str(question_id)
            )
        return AskedQuestion(**row)

    async def is_stated_since(self, factoid: Factoid) -> bool:
        """Return whether others have stated what a candidate's confirmation made."""
        found: bool = await self._connection.fetchval(
            sql("is_stated_since"),
            self._tenant,
            *factoid.triple,
            factoid.confirmed_as,
            factoid.name,
        )
        return found


class PostgresAnswers:
    """Reads of expired candidates across all tenants."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def tenants_over(self, now: float) -> list[str]:
        """Return the tenants that have an expired candidate without a decision."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("tenants_over"), to_time(now))
        return [row["tenant"] for row in rows]


async def add_factoids(
    connection: Connection, tenant: str, changes: Changes
) -> dict[int, int]:
    """Add candidates for doubtful statements, one pending candidate per statement.

    Returns:
        The numbers of the candidates, by row of the ledger.
    """
    numbers = {}
    for entry in changes.entries:
        if entry.outcome.verdict is not Verdict.CANDIDATE:
            continue
        factoid = entry.factoid
        assert factoid is not None, "a candidate is listed before it is written"
        numbers[entry.id] = factoid.id
        if entry.is_new:
            await _add_factoid(connection, tenant, factoid, entry.id)
            continue
        candidacy = entry.proposal.candidacy
        await connection.execute(
            sql("count_on_factoid"),
            tenant,
            factoid.id,
            entry.proposal.confidence,
            candidacy.external_id if candidacy else "",
        )
    if numbers:
        await connection.execute(
            sql("use_up"), tenant, "factoid", max(numbers.values()) + 1
        )
    return numbers


async def write(
    connection: Connection, tenant: str, batch: Batch, now: datetime
) -> None:
    """Write the answers, the rulings on candidates, and new items of the backlog."""
    for event in batch.events:
        await connection.execute(
            sql("add_event"),
            tenant,
            event.cid,
            event.factoid_id,
            event.proposer,
            event.responder,
            event.role,
            event.response,
            event.before_visible,
            event.note,
            event.bot_id,
            event.context_message_cid,
            event.question_id or None,
            event.delivery,
            event.prompt_hash,
            event.model_version,
            event.message_cid,
            to_time(event.created),
        )
    for audit in batch.audits:
        await _audit(connection, tenant, audit, now)
    if batch.answered or any(ruling.closes for ruling in batch.rulings):
        # Other transactions close several questions in another order: avoid deadlocks.
        await connection.execute(sql("lock_questions"), tenant)
    for question_id in batch.answered:
        await connection.execute(
            sql("end_question"), tenant, question_id, "answered", now
        )
    for ruling in batch.rulings:
        await _rule(connection, tenant, ruling, now)


async def _add_factoid(
    connection: Connection, tenant: str, factoid: Factoid, row: int
) -> None:
    """Add the candidate of a row of the ledger."""
    await connection.execute(
        sql("add_factoid"),
        tenant,
        factoid.id,
        *factoid.triple,
        factoid.confidence,
        factoid.source,
        factoid.rule,
        factoid.reason,
        factoid.proposer,
        factoid.author,
        factoid.subject,
        factoid.evidence,
        row,
        to_time(factoid.created),
        factoid.cid,
        factoid.external_id,
        factoid.predicate,
        factoid.subject_raw,
        factoid.object_raw,
        factoid.message_cid,
        factoid.chunk_id,
        factoid.channel,
        factoid.extractor_version,
        factoid.prompt_hash,
        factoid.model_version,
        factoid.justification,
        factoid.priority,
        factoid.lane,
        factoid.sensitive,
        factoid.contradicts,
        _time(factoid.expires),
    )


async def _rule(
    connection: Connection, tenant: str, ruling: Ruling, now: datetime
) -> None:
    factoid = ruling.factoid
    await connection.execute(
        sql("rule_on_factoid"),
        tenant,
        factoid.id,
        factoid.state,
        factoid.decider or None,
        _time(factoid.decided),
        factoid.decision_rule,
        factoid.posterior,
        factoid.belief,
        factoid.confirmed_as or None,
        factoid.flagged,
        factoid.lane,
        factoid.priority,
        _time(factoid.expires),
        factoid.cid or None,
        factoid.evidence_wanted,
    )
    if ruling.closes:
        await connection.execute(
            sql("end_questions"), tenant, factoid.id, ruling.closes, now
        )
    if ruling.backlog:
        number = await connection.fetchval(sql("reserve"), tenant, "backlog", 1)
        await connection.execute(
            sql("add_backlog"),
            tenant,
            number,
            factoid.id,
            ruling.backlog,
            factoid.priority,
            now,
        )


async def _audit(
    connection: Connection, tenant: str, audit: Audit, now: datetime
) -> None:
    await connection.execute(
        sql("add_audit"),
        tenant,
        audit.question_id,
        audit.responder,
        audit.answer,
        audit.disputed,
        audit.note,
        now,
    )


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else to_time(seconds)


def to_event(row: asyncpg.Record) -> ValidationEvent:
    """Convert a row to an answer."""
    return ValidationEvent(
        factoid_id=row["factoid_id"],
        factoid_cid=row["factoid_cid"] or "",
        proposer=row["proposer"],
        responder=row["responder"],
        role=VoterRole(row["role"]),
        response=EventResponse(row["response"]),
        before_visible=row["before_visible"],
        created=to_seconds(row["created_at"]),
        note=row["note"],
        bot_id=row["bot_id"],
        context_message_cid=row["context_message_cid"],
        question_id=row["question_id"] or 0,
        delivery=row["delivery"],
        prompt_hash=row["prompt_hash"],
        model_version=row["model_version"],
        message_cid=row["message_cid"],
        cid=row["cid"],
    )
