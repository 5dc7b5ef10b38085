"""Bringing the counters to Postgres: eventually, and each count once."""

from __future__ import annotations

from festinger.core.world import World
from festinger.errors import DatabaseUnavailable
from festinger.flows.ports import Deltas, RaceLost, Store


class Counters:
    """The encounters that Postgres does not know yet."""

    def __init__(self, tenant: str, world: World, store: Store) -> None:
        self._tenant = tenant
        self._world = world
        self._store = store
        self._sequence = 0
        self._sent: tuple[dict[int, str], Deltas] | None = None
        """What was sent and not acknowledged: it may have arrived, so it is sent
        again under the same number, unchanged."""

    async def flush(self) -> None:
        """Writes new concepts and what was counted since the last time.

        Raises:
            DatabaseUnavailable: It stays in memory and is sent again.
        """
        if self._sent is not None:
            await self._send()
        await self._send()

    async def _send(self) -> None:
        world = self._world
        for _ in range(20):
            if self._sent is None:
                self._sent = (dict(world.unsaved), world.vocabulary.drain())
                self._sequence += 1
            concepts, deltas = self._sent
            if not concepts and not deltas:
                self._sent = None
                return
            try:
                await self._store.flush(self._tenant, concepts, deltas, self._sequence)
            except RaceLost as race:
                # Nothing was written; the counts go back before numbers change.
                self._sent = None
                world.vocabulary.restore(list(deltas))
                await self._store.take_over(self._tenant, world, race)
                continue
            self._sent = None
            for number in concepts:
                world.unsaved.pop(number, None)
            return
        raise DatabaseUnavailable("other servers write the same concepts; later")
