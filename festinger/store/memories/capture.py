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
from festinger.store.memories.records import Captured
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql
from festinger.store.system.requests import answered_before
from festinger.store.world.batches import RequestKey


class Repeated(Exception):
    """Repeated call, whose transaction must not be committed."""

    def __init__(self, interaction_id: int, added: int) -> None:
        super().__init__("a repeated request")
        self.interaction_id = interaction_id
        self.added = added


class Capturing:
    """Writer of turns to a session, which is locked until the transaction ends."""

    def __init__(
        self, connection: Connection, tenant: str, captured: Captured, now: float
    ) -> None:
        self._connection = connection
        self._tenant = tenant
        self._captured = captured
        self._now = to_time(now)
        self._idle = to_time(now + IDLE_SECONDS)  # when an open interaction is due

    async def add(self, request: RequestKey | None) -> tuple[int, int]:
        """Add the turns that are new.

        Returns:
            The number of the last turn's interaction, and the number of added turns.

        Raises:
            Repeated: The call was made before.
            RequestIdReused: The request id was used for another request.
        """
        number, added = await self._add()
        if request:
            answer = {"interaction_id": number, "added": added}
            before = await answered_before(
                self._connection, self._tenant, request, answer
            )
            # The turns were written a second time: the exception rolls that back.
            if before is not None:
                raise Repeated(before["interaction_id"], before["added"])
        return number, added

    async def _add(self) -> tuple[int, int]:
        # The lock comes before the turns are compared: another call may be adding the same ones.
        last = await self._last() if self._captured.session else None
        fresh = await self._fresh()
        # An open interaction gets the first portion, which is empty where it is full.
        if last and last["state"] == InteractionState.OPEN:
            first, *further = portions(fresh, last["characters"])
            await self._append(last["id"], first)
            if further:
                await self._close(last["id"])
        else:
            # Nothing new and an earlier interaction: no empty one is begun behind it.
            further = portions(fresh, 0) if fresh or last is None else []
        number: int = last["id"] if last else 0
        for place, portion in enumerate(further, 1):
            number = await self._begin(portion, is_last=place == len(further))
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
        rows = await self._connection.fetch(
            sql("captured"),
            self._tenant,
            self._captured.subject,
            self._captured.session,
            list(spoken),
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

    async def _begin(self, portion: Sequence[KeptTurnText], *, is_last: bool) -> int:
        """Add an interaction; only a session's last one stays open for more turns."""
        captured = self._captured
        is_open = is_last and captured.session
        number: int = await self._connection.fetchval(
            sql("reserve"), self._tenant, "interaction", 1
        )
        await self._connection.execute(
            sql("add_interaction"),
            self._tenant,
            number,
            captured.subject,
            captured.project,
            captured.session,
            captured.principal,
            *_columns(portion),
            captured.extract,
            InteractionState.OPEN if is_open else InteractionState.CLOSED,
            # A closed one is due at once, an open one when nobody has spoken for `IDLE_SECONDS`.
            self._idle if is_open else self._now,
            self._now,
        )
        return number


def _columns(portion: Sequence[KeptTurnText]) -> tuple[str, list[bytes], int]:
    """Return the turns as JSON, their digests and their total number of characters."""
    turns = [{"role": each.role, "text": each.text} for each in portion]
    return (
        json.dumps(turns),
        [each.digest for each in portion],
        sum(len(each.text) for each in portion),
    )
