"""Add turns to the session they belong to, without duplicates."""

from __future__ import annotations

import json
from collections.abc import Sequence

import asyncpg

from festinger.core.memories.interaction import (
    IDLE_SECONDS,
    InteractionState,
    KeptTurnText,
    portions,
)
from festinger.store.graph.rows import to_time
from festinger.store.memories.records import CapturedTurns
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql
from festinger.store.system.tenancy import TenantReads
from festinger.store.world.batches import RequestKey, answered_before


class TurnWriter(TenantReads):
    """Writer of turns to a session, which is locked until the transaction ends."""

    def __init__(
        self, connection: Connection, tenant: str, captured: CapturedTurns, now: float
    ) -> None:
        super().__init__(connection, tenant)
        self._captured = captured
        self._now = to_time(now)
        self._idle = to_time(now + IDLE_SECONDS)  # when an open interaction is due

    async def add(self, request: RequestKey | None) -> tuple[int, int]:
        """Add the turns that are new, unless the call was made before.

        Returns:
            The number of the last turn's interaction, and the number of added turns.

        Raises:
            RequestIdReused: The request id was used for another request.
        """
        # The lock comes before the turns are compared: another call may be adding the same ones.
        last = await self._last() if self._captured.session else None
        fresh = await self._fresh()
        # An open interaction gets the first portion, which is empty where it is full.
        open_one = last if last and last["state"] == InteractionState.OPEN else None
        if open_one:
            first, *further = portions(fresh, open_one["characters"])
        else:
            # Nothing new and an earlier interaction: no empty one is begun behind it.
            further = portions(fresh, 0) if fresh or last is None else []
        numbers = await self._reserve(len(further))
        number: int = numbers[-1] if numbers else last["id"] if last else 0
        if request:
            answer = {"interaction_id": number, "added": len(fresh)}
            # Before anything is written; the numbers of a repeated call stay unused.
            before = await answered_before(
                self._connection, self._tenant, request, answer
            )
            if before is not None:
                return before["interaction_id"], before["added"]
        if open_one:
            await self._append(open_one["id"], first)
            if further:
                await self._close(open_one["id"])
        for place, portion in zip(numbers, further, strict=True):
            await self._begin(place, portion, is_last=place == number)
        return number, len(fresh)

    async def _last(self) -> asyncpg.Record | None:
        """Lock the session and return its newest interaction."""
        asked = (self._tenant, self._captured.subject, self._captured.session)
        await self._connection.execute(sql("lock_session"), *asked)
        return await self._connection.fetchrow(sql("last_interaction"), *asked)

    async def _fresh(self) -> list[KeptTurnText]:
        """Return the turns that are not in the session yet, without duplicates."""
        # By digest, since a client may send a turn twice.
        spoken = {each.digest: each for each in self._captured.spoken}
        # Without a session there is nothing to compare with: every call is an interaction.
        if not self._captured.session:
            return list(spoken.values())
        rows = await self._rows(
            "captured", self._captured.subject, self._captured.session, list(spoken)
        )
        known = {row["digest"] for row in rows}
        return [each for each in spoken.values() if each.digest not in known]

    async def _append(self, number: int, portion: Sequence[KeptTurnText]) -> None:
        if portion:
            await self._connection.execute(
                sql("add_turns"),
                self._tenant,
                number,
                *_columns(portion),
                self._captured.extract,
                self._idle,
                self._now,
            )
        # Nothing to add, but the caller wants the interaction extracted.
        elif self._captured.extract:
            await self._connection.execute(
                sql("mark_interaction"), self._tenant, number, self._idle
            )

    async def _close(self, number: int) -> None:
        await self._connection.execute(
            sql("close_interaction"), self._tenant, number, self._now
        )

    async def _reserve(self, count: int) -> range:
        if not count:
            return range(0)
        first: int = await self._value("reserve", "interaction", count)
        return range(first, first + count)

    async def _begin(
        self, number: int, portion: Sequence[KeptTurnText], *, is_last: bool
    ) -> None:
        """Add an interaction; only a session's last one stays open for more turns."""
        captured = self._captured
        is_open = is_last and captured.session
        await self._connection.execute(
            sql("add_interaction"),
            self._tenant,
            number,
            *fields_of(captured, "subject project session principal"),
            *_columns(portion),
            captured.extract,
            InteractionState.OPEN if is_open else InteractionState.CLOSED,
            # A closed one is due at once, an open one when nobody has spoken for `IDLE_SECONDS`.
            self._idle if is_open else self._now,
            self._now,
        )


def _columns(portion: Sequence[KeptTurnText]) -> tuple[str, list[bytes], int]:
    """Return the turns as JSON, their digests and their total number of characters."""
    turns = [{"role": each.role, "text": each.text} for each in portion]
    return (
        json.dumps(turns),
        [each.digest for each in portion],
        sum(len(each.text) for each in portion),
    )
