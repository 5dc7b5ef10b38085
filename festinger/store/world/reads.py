"""Reads of a tenant's tables outside the in-memory world, on one connection."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

import asyncpg

from festinger.core.graph.advice import DIMENSIONS_MAX
from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import Retraction
from festinger.core.graph.history import Event, HistoryMark
from festinger.core.graph.outcome import Fact, Outcome
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import Conflict, ConflictState, UnsettledChange
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.core.world.draft import Witness
from festinger.core.world.undoing import Effects
from festinger.errors import CandidateNotFound, ConflictNotFound
from festinger.store.graph.rows import (
    to_candidate,
    to_conflict,
    to_event,
    to_fact,
    to_outcome,
    to_retraction,
    to_time,
    to_triple,
)
from festinger.store.lines.lines import FeedbackReads, LineTables
from festinger.store.memories.records import to_memory
from festinger.store.provenance.trail import TrailReads
from festinger.store.review.inbox import InboxReads
from festinger.store.review.records import RecordReads
from festinger.store.review.state import StateReads
from festinger.store.system.queries import columns_of, sql
from festinger.store.system.recent_events import DayReads
from festinger.store.validation.answers import AnswerReads
from festinger.store.world.batches import CallResult, RequestKey, SegmentKey

MEMORIES_MAX = 5_000
"""The number of a subject's newest memories that a new one is compared with."""
# The column's type is `integer`.
PRIORITY_MAX = 2**31 - 1
"""The highest priority of a conflict."""


# One class of all rooms' reads, so that a job of a batch reads in the batch's transaction.
class PostgresReads(
    AnswerReads,
    RecordReads,
    LineTables,
    StateReads,
    TrailReads,
    InboxReads,
    FeedbackReads,
    DayReads,
):
    """Reads of one tenant's tables."""

    async def old_turns(self, before: float, limit: int) -> list[int]:
        """Return the numbers of turns from before a point in time, oldest first."""
        rows = await self._rows("old_turns", to_time(before), limit)
        return [row["id"] for row in rows]

    async def reads_under(self, lease: UUID) -> set[bytes]:
        """Lock a lease's turns for the transaction, and return their digests."""
        rows = await self._rows("lock_leased_unread", lease)
        return {row["digest"] for row in rows}

    async def speakers(self, statements: Collection[int]) -> dict[int, str]:
        """Return the speakers of statements, by row of the ledger."""
        rows = await self._rows("statement_speakers", sorted(statements))
        return {row["id"]: row["speaker"] for row in rows}

    async def witnesses(self, asked: Iterable[Witness]) -> set[Witness]:
        """Return the statements that their principals already made."""
        # A set, since a batch may hold the same statement of the same principal twice.
        columns = columns_of(
            {
                (triple.concept, triple.parent, triple.dimension, principal)
                for triple, principal in asked
            }
        )
        # Without rows `zip` gives no columns, and the query would lack its arguments.
        if not columns:
            return set()
        rows = await self._rows("witnesses", *columns)
        return {(to_triple(row), row["principal"]) for row in rows}

    async def judged(self, keys: Iterable[SegmentKey]) -> set[SegmentKey]:
        """Return the statements of prompts that are in the ledger."""
        columns = columns_of(set(keys))
        if not columns:
            return set()
        rows = await self._rows("judged", *columns)
        return {(row["segment"], row["ordinal"]) for row in rows}

    async def answered(
        self, keys: Iterable[RequestKey]
    ) -> dict[tuple[str, str], tuple[RequestKey, CallResult]]:
        """Return the answered calls, by principal and id."""
        columns = columns_of({(key.principal, key.id) for key in keys})
        if not columns:
            return {}
        rows = await self._rows("answered", *columns)
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
        """Return the outcome of a statement, from the ledger."""
        return to_outcome(await self._assertion(assertion_id))

    async def retraction(self, assertion_id: int) -> Retraction:
        """Return a retraction, from the ledger."""
        return to_retraction(await self._assertion(assertion_id))

    async def _assertion(self, assertion_id: int) -> asyncpg.Record:
        row = await self._row("assertion", assertion_id)
        assert row is not None, "a remembered request names a row of the ledger"
        return row

    async def conflict(self, conflict_id: int) -> Conflict:
        """Return a conflict, or raise `ConflictNotFound`."""
        found = await self.conflicts_by_id([conflict_id])
        if conflict_id not in found:
            raise ConflictNotFound(
                f"there is no conflict #{conflict_id}. See: festinger inbox",
                conflict_id=str(conflict_id),
            )
        return found[conflict_id]

    async def unsettled_changes(self, before: float) -> list[UnsettledChange]:
        """Return the changes from before a time that no decision followed."""
        rows = await self._connection.fetch(
            sql("unsettled_changes"), self._tenant, to_time(before)
        )
        return [UnsettledChange(**row) for row in rows]

    async def conflicts_by_id(self, ids: Collection[int]) -> dict[int, Conflict]:
        """Return the conflicts with these numbers that exist, by number."""
        if not ids:
            return {}
        rows = await self._rows("conflicts", list(ids))
        return {row["id"]: to_conflict(row) for row in rows}

    async def conflicts(
        self,
        *,
        states: Collection[ConflictState] = (),
        concept: str = "",
        unmet: bool = False,
        after: tuple[int, int] | None = None,
        limit: int = 50,
    ) -> list[Conflict]:
        """Return conflicts, the most urgent first, and of these the oldest.

        Args:
            after: Priority and number behind which they stand; None for the first.
            states: The states to return; empty for all.
            concept: The concept to return conflicts of; empty for all.
            unmet: Only those that may wait for facts about other concepts: statements,
                not denials, that have no held edge in their place or that belong to
                another dimension.
        """
        rows = await self._rows(
            "conflict_numbers",
            # For the first page: in front of the most urgent.
            *(after or (PRIORITY_MAX, 0)),
            list(states),
            concept,
            unmet,
            limit,
        )
        found = await self.conflicts_by_id([row["id"] for row in rows])
        # In the order of the numbers, which `conflicts` does not keep.
        return [found[row["id"]] for row in rows if row["id"] in found]

    async def dimension_count(self) -> int:
        """Return how many dimensions there are."""
        count: int = await self._value("count_dimensions")
        return count

    async def dimensions(self) -> dict[str, str]:
        """Return the dimensions with the question that each answers; may be empty."""
        # As many as the question to a model has room for.
        rows = await self._rows("list_dimensions", DIMENSIONS_MAX)
        return {row["token"]: row["question"] for row in rows}

    async def effects(self, conflict_id: int) -> Effects | None:
        """Return the changes made by a decision about a conflict; None if unknown."""
        kept = await self._value("effects", conflict_id)
        # Kept for the undo of the decision (C4).
        return Effects.from_json(json.loads(kept)) if kept else None

    async def is_extracting(self, interaction_id: int, lease: UUID) -> bool:
        """Lock an interaction for the transaction; return False if the lease was lost."""
        # A lease may run out while a model answers.
        found = await self._value("is_extracting", interaction_id, lease)
        return found is not None

    async def is_dreaming(self, item_id: int, lease: UUID) -> bool:
        """Lock an item of the backlog for the transaction; return False without its lease."""
        row = await self._row("is_dreaming", item_id, lease)
        return row is not None

    async def memories_known(self, subject: str) -> list[Memory]:
        """Return the memories about a subject in any status."""
        rows = await self._rows(
            "memories_known", subject, list(CONVERSATION_TYPES), MEMORIES_MAX
        )
        return [to_memory(row) for row in rows]

    async def candidate(self, candidate_id: int) -> Candidate:
        """Return a candidate, or raise `CandidateNotFound`."""
        found = await self.candidates_by_id([candidate_id])
        if candidate_id not in found:
            raise CandidateNotFound(
                f"there is no candidate #{candidate_id}. See: festinger inbox",
                candidate_id=str(candidate_id),
            )
        return found[candidate_id]

    async def candidates_by_id(self, ids: Collection[int]) -> dict[int, Candidate]:
        """Return the candidates with these numbers that exist, by number."""
        if not ids:
            return {}
        rows = await self._rows("candidates_by_id", list(ids))
        return {row["id"]: to_candidate(row) for row in rows}

    async def candidates(
        self,
        *,
        states: Collection[CandidateState] = (),
        after: int = 0,
        limit: int = 50,
        newest: bool = False,
        flagged: bool = False,  # only those for a moderator
    ) -> list[Candidate]:
        """Return a page of candidates after a number, oldest or newest first."""
        rows = await self._connection.fetch(
            sql("newest_candidates") if newest else sql("candidates"),
            self._tenant,
            after,
            list(states),
            limit,
            flagged,
        )
        return [to_candidate(row) for row in rows]

    async def concepts(
        self, *, prefix: str, placed: bool, parent: str, after: str, limit: int
    ) -> list[str]:
        """Return concepts after a token, in order.

        Args:
            parent: The concept whose children are returned; empty for all concepts.
        """
        # Children have a query of their own, which starts from the facts in `parent`.
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
        private: bool = True,  # with private candidates
    ) -> list[Event]:
        """Return the events of a concept after a mark, oldest first."""
        rows = await self._rows(
            "history",
            token,
            concept_id,
            dimension,
            *after,  # time, kind and number of an event
            limit,
            private,
        )
        return [to_event(row) for row in rows]

    async def as_of(
        self, concept_id: int, when: float
    ) -> tuple[list[Fact], list[Triple], list[int]]:
        """Return the facts, denials and pending conflicts of a concept at a time."""
        asked = (self._tenant, concept_id, to_time(when))
        facts = await self._connection.fetch(sql("held_at"), *asked)
        denied = await self._connection.fetch(sql("denied_at"), *asked)
        waited = await self._connection.fetch(sql("waited_at"), *asked)
        # A dimension with a conflict that waited then is told as contested, as it was then.
        contested = {row["dimension"] for row in waited}
        held = [
            to_fact(row)._replace(contested=row["dimension"] in contested)
            for row in facts
        ]
        return held, [to_triple(row) for row in denied], [row["id"] for row in waited]


def _answered(response: str) -> CallResult:
    parts: dict[str, Any] = json.loads(response)
    # JSON has lists where `CallResult` has tuples.
    lists = {
        name: tuple(value) for name, value in parts.items() if isinstance(value, list)
    }
    return CallResult(**parts | lists)
