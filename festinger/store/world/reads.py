"""What is read of a tenant's memory beside the world, on one connection."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from festinger.core.graph.candidates import Factoid, FactoidState
from festinger.core.graph.changes import Retraction
from festinger.core.graph.counsel import DIMENSIONS_MAX
from festinger.core.graph.history import Event, HistoryMark
from festinger.core.graph.outcome import Fact, Outcome
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import Conflict, ConflictState
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.core.world.draft import Witness
from festinger.core.world.undoing import Effects
from festinger.errors import ConflictNotFound, FactoidNotFound
from festinger.store.graph.rows import (
    to_conflict,
    to_event,
    to_fact,
    to_factoid,
    to_memory,
    to_outcome,
    to_retraction,
    to_time,
    to_triple,
)
from festinger.store.lines.lines import LineTables
from festinger.store.provenance.trail import TrailReads
from festinger.store.review.claims import ClaimReads
from festinger.store.review.state import StateReads
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql
from festinger.store.validation.answers import AnswerReads
from festinger.store.world.batches import Answered, RequestKey, SegmentKey

MEMORIES_MAX = 5_000
"""Memories of one subject that a new one is compared with: the last ones."""


class PostgresReads(AnswerReads, ClaimReads, LineTables, StateReads, TrailReads):
    """Reads one tenant's tables."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    async def old_turns(self, before: float, limit: int) -> list[int]:
        """Return the numbers of turns that were said before a moment, oldest first."""
        rows = await self._connection.fetch(
            sql("old_turns"), self._tenant, to_time(before), limit
        )
        return [row["id"] for row in rows]

    async def reads_under(self, lease: UUID) -> set[bytes]:
        """Return the digests of the turns that are read under a lease, until the end."""
        rows = await self._connection.fetch(
            sql("lock_leased_unread"), self._tenant, lease
        )
        return {row["digest"] for row in rows}

    async def speakers(self, statements: Collection[int]) -> dict[int, str]:
        """Return who made statements of the ledger, by their number."""
        rows = await self._connection.fetch(
            sql("statement_speakers"), self._tenant, sorted(statements)
        )
        return {row["id"]: row["speaker"] for row in rows}

    async def witnesses(self, asked: Iterable[Witness]) -> set[Witness]:
        """Which of these statements their principals made before."""
        columns = columns_of(
            {
                (triple.concept, triple.parent, triple.dimension, principal)
                for triple, principal in asked
            }
        )
        if not columns:
            return set()
        rows = await self._connection.fetch(sql("witnesses"), self._tenant, *columns)
        return {(to_triple(row), row["principal"]) for row in rows}

    async def judged(self, keys: Iterable[SegmentKey]) -> set[SegmentKey]:
        """Which of these statements of prompts are in the ledger already."""
        columns = columns_of(set(keys))
        if not columns:
            return set()
        rows = await self._connection.fetch(sql("judged"), self._tenant, *columns)
        return {(row["segment"], row["ordinal"]) for row in rows}

    async def answered(
        self, keys: Iterable[RequestKey]
    ) -> dict[tuple[str, str], tuple[RequestKey, Answered]]:
        """Which of these calls were answered, by principal and id."""
        columns = columns_of({(key.principal, key.id) for key in keys})
        if not columns:
            return {}
        rows = await self._connection.fetch(sql("answered"), self._tenant, *columns)
        return {
            (row["principal"], row["request_id"]): (
                RequestKey(
                    row["principal"],
                    row["request_id"],
                    row["method"],
                    row["payload_hash"],
                ),
                _answered(row["response"]),
            )
            for row in rows
        }

    async def outcome(self, assertion_id: int) -> Outcome:
        """What became of a statement, from the ledger."""
        row = await self._connection.fetchrow(
            sql("assertion"), self._tenant, assertion_id
        )
        assert row is not None, "a remembered request names a row of the ledger"
        return to_outcome(row)

    async def retraction(self, assertion_id: int) -> Retraction:
        """A retraction, from the ledger."""
        row = await self._connection.fetchrow(
            sql("assertion"), self._tenant, assertion_id
        )
        assert row is not None, "a remembered request names a row of the ledger"
        return to_retraction(row)

    async def conflict(self, conflict_id: int) -> Conflict:
        """A conflict."""
        found = await self.conflicts(after=max(conflict_id - 1, 0), limit=1)
        if not found or found[0].id != conflict_id:
            raise ConflictNotFound(
                f"there is no conflict #{conflict_id}. See: festinger conflicts",
                conflict_id=str(conflict_id),
            )
        return found[0]

    async def conflicts(
        self,
        *,
        states: Collection[ConflictState] = (),
        concept: str = "",
        unmet: bool = False,
        after: int = 0,
        limit: int = 50,
    ) -> list[Conflict]:
        """Conflicts with numbers above `after`, oldest first; empty asks for any.

        Args:
            unmet: Only those that may wait for facts about other concepts: statements,
                not denials, in whose place nothing is held, or that belong elsewhere.
        """
        rows = await self._connection.fetch(
            sql("conflicts"),
            self._tenant,
            after,
            list(states),
            concept,
            unmet,
            limit,
        )
        return [to_conflict(row) for row in rows]

    async def dimensions(self) -> dict[str, str]:
        """The dimensions, and the question that each answers; may be empty."""
        rows = await self._connection.fetch(
            sql("list_dimensions"), self._tenant, DIMENSIONS_MAX
        )
        return {row["token"]: row["question"] for row in rows}

    async def effects(self, conflict_id: int) -> Effects | None:
        """What the decision about a conflict changed; None if that is not known."""
        kept = await self._connection.fetchval(
            sql("effects"), self._tenant, conflict_id
        )
        return Effects.from_json(json.loads(kept)) if kept else None

    async def is_extracting(self, interaction_id: int, lease: UUID) -> bool:
        """Whether an interaction is still whose lease this is, until the transaction ends."""
        found = await self._connection.fetchval(
            sql("is_extracting"), self._tenant, interaction_id, lease
        )
        return found is not None

    async def is_dreaming(self, item_id: int, lease: UUID) -> bool:
        """Whether an item is still whose lease this is, until the transaction ends."""
        row = await self._connection.fetchrow(
            sql("is_dreaming"), self._tenant, item_id, lease
        )
        return row is not None

    async def memories_known(self, subject: str) -> list[Memory]:
        """Everything that is or was remembered of a subject, in whatever status."""
        rows = await self._connection.fetch(
            sql("memories_known"),
            self._tenant,
            subject,
            list(CONVERSATION_TYPES),
            MEMORIES_MAX,
        )
        return [to_memory(row) for row in rows]

    async def factoid(self, factoid_id: int) -> Factoid:
        """A candidate."""
        found = await self.factoids(after=max(factoid_id - 1, 0), limit=1)
        if not found or found[0].id != factoid_id:
            raise FactoidNotFound(
                f"there is no candidate #{factoid_id}. See: festinger candidates",
                factoid_id=str(factoid_id),
            )
        return found[0]

    async def factoids(
        self,
        *,
        states: Collection[FactoidState] = (),
        after: int = 0,
        limit: int = 50,
        newest: bool = False,
        flagged: bool = False,
    ) -> list[Factoid]:
        """Candidates behind `after`, oldest or newest first.

        Args:
            flagged: Only those that a moderator should look at.
        """
        rows = await self._connection.fetch(
            sql("newest_factoids") if newest else sql("factoids"),
            self._tenant,
            after,
            list(states),
            limit,
            flagged,
        )
        return [to_factoid(row) for row in rows]

    async def concepts(
        self, *, prefix: str, placed: bool, parent: str, after: str, limit: int
    ) -> list[str]:
        """Tokens after one, in order; `parent` asks for those that it holds."""
        asked = (self._tenant, after, prefix)
        rows = await (
            self._connection.fetch(sql("list_children"), *asked, parent, limit)
            if parent
            else self._connection.fetch(sql("list_concepts"), *asked, placed, limit)
        )
        return [row["token"] for row in rows]

    async def history(
        self,
        token: str,
        concept_id: int,
        *,
        dimension: str,
        after: HistoryMark,
        limit: int,
        private: bool = True,
    ) -> list[Event]:
        """What happened to a concept after a mark, oldest first.

        Args:
            private: Whether candidates that hold what is private are told of.
        """
        rows = await self._connection.fetch(
            sql("history"),
            self._tenant,
            token,
            concept_id,
            dimension,
            *after,
            limit,
            private,
        )
        return [to_event(row) for row in rows]

    async def as_of(
        self, concept_id: int, when: float
    ) -> tuple[list[Fact], list[Triple], list[int]]:
        """What placed a concept at a moment, what was denied, which conflicts waited."""
        asked = (self._tenant, concept_id, to_time(when))
        facts = await self._connection.fetch(sql("held_at"), *asked)
        denied = await self._connection.fetch(sql("denied_at"), *asked)
        waited = await self._connection.fetch(sql("waited_at"), *asked)
        contested = {row["dimension"] for row in waited}
        held = [
            to_fact(row)._replace(contested=row["dimension"] in contested)
            for row in facts
        ]
        return held, [to_triple(row) for row in denied], [row["id"] for row in waited]


def _answered(response: str) -> Answered:
    parts: dict[str, Any] = json.loads(response)
    lists = {
        name: tuple(value) for name, value in parts.items() if isinstance(value, list)
    }
    return Answered(**parts | lists)


def columns_of(rows: Collection[tuple[object, ...]]) -> list[list[object]]:
    """Rows as parallel arrays; none if there are no rows."""
    return [list(column) for column in zip(*rows, strict=True)]
