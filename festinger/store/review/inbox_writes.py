"""Writes of the inbox: items put aside, and its decisions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.store.graph.rows import time_or_none, to_time
from festinger.store.review.inbox import InboxDecisionRecord
from festinger.store.system.queries import fields_of, sql
from festinger.store.system.tenancy import TenantReads
from festinger.store.world.batches import (
    AggregateWrites,
    BatchTransaction,
    RequestKey,
    answered_before,
)


class ItemUndoing(NamedTuple):
    """Undoing of a decision about an item.

    Attributes:
        decision: Number of the decision.
        by: Who undoes it.
        time: Seconds since the epoch.
    """

    decision: UUID
    ref: InboxRef
    by: str
    time: float


class InboxWrites(TenantReads):
    """Writes of one tenant's inbox, beside the decisions that the memory's writer makes."""

    async def defer(self, ref: InboxRef, since: float | None) -> bool:
        """Put an item aside, or take it up again; return whether it waits.

        Args:
            ref: The item; not a record, whose deferral is an edit.
            since: Seconds since the epoch; None to take it up again.
        """
        # By the table that has the item: each keeps the time in a column of its own.
        queries = {
            InboxPlace.CONFLICT: sql("defer_conflict"),
            InboxPlace.CANDIDATE: sql("defer_candidate"),
            InboxPlace.SETTLED: sql("defer_settled"),
            InboxPlace.FEEDBACK: sql("defer_feedback"),
        }
        when = time_or_none(since)
        found = await self._connection.fetchval(
            queries[ref.place], self._tenant, ref.number, when
        )
        return found is not None

    async def keep_settled(self, number: int) -> int | None:
        """Let a statement stay settled; return how often it was restated, if it waits."""
        # The count is logged with the decision, for its undo.
        count: int | None = await self._value("keep_settled", number)
        return count

    async def unkeep_settled(self, number: int, count: int) -> bool:
        """Have a statement wait again; return whether it is still settled."""
        # What was stated again since then is counted as well.
        found = await self._value("unkeep_settled", number, count)
        return found is not None

    async def log_decision(self, decision: InboxDecisionRecord) -> None:
        """Log items of a decision, which it may have already, to undo them by."""
        items = [
            {
                "item": str(it.ref),
                "edit": it.edit,
                "count": it.count,
                "flag": it.flag,
            }
            for it in decision.items
        ]
        # As JSON in one row: the items of a decision are undone together.
        await self._connection.execute(
            sql("add_inbox_decision"),
            self._tenant,
            *fields_of(decision, "id principal action"),
            json.dumps(items),
            to_time(decision.created),
        )

    async def log_undoing(self, undoing: ItemUndoing) -> None:
        """Mark an item of a decision as undone, and with the last one the decision."""
        await self._connection.execute(
            sql("undo_inbox_item"),
            self._tenant,
            undoing.decision,
            str(undoing.ref),
            undoing.by,
            to_time(undoing.time),
        )

    async def choose_to_undo(self, request: RequestKey, name: str) -> bool:
        """Remember what a call undoes, so that its repetition undoes nothing else.

        Args:
            name: Number of the decision, or name of the conflict that is decided elsewhere.

        Returns:
            Whether it is chosen; False if a repetition has chosen in the meantime.
        """
        before = await answered_before(
            self._connection, self._tenant, request, {"event": name}
        )
        return before is None

    async def mark_undone(self, number: UUID, *, by: str, now: float) -> bool:
        """Mark a decision as undone; return whether it was not before."""
        found = await self._value("undo_inbox_decision", number, by, to_time(now))
        return found is not None


@dataclass(slots=True)
class InboxLogWrites(AggregateWrites):
    """Lines of the inbox's log about what the same batch decides or undoes."""

    decided: list[InboxDecisionRecord] = field(default_factory=list)
    undone: list[ItemUndoing] = field(default_factory=list)

    async def write(self, transaction: BatchTransaction) -> None:
        """Log the decisions and their undoings."""
        log = InboxWrites(transaction.connection, transaction.tenant)
        for decision in self.decided:
            await log.log_decision(decision)
        for undoing in self.undone:
            await log.log_undoing(undoing)
