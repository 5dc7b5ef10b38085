"""One writer per tenant: everything that changes a memory passes its queue.

A batch is whatever arrived while the last one was committed, so nobody waits for a batch
to fill, and the graph in memory is never ahead of Postgres. How a batch is written is
the business of `festinger.services.world.committer`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from festinger.core.validation.enlisting import CandidatePolicy, standard_guide
from festinger.core.world.world import World
from festinger.errors import DatabaseUnavailable, Overloaded
from festinger.services.world.committer import BatchCommitter
from festinger.services.world.jobs import Job, fail, settle
from festinger.services.world.statistics import MemoryStatistics
from festinger.store.postgres import PostgresStore

Answer = TypeVar("Answer")

BATCH_MAX = 500
"""Jobs in one transaction, at most."""
QUEUE_MAX = 20_000
"""Jobs that wait, at most; beyond it callers are asked to try again."""
OFFERED_SECONDS = 0.0003
"""How long what nobody waits for waits itself, so that who offered it has been answered
first: where cores are few, the two would share one."""
RETRY_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Pauses while the database is away; the last one repeats."""


class Writer:
    """Writes what becomes of statements, in the order in which they came."""

    def __init__(
        self,
        tenant: str,
        world: World,
        store: PostgresStore,
        now: Callable[[], float],
        statistics: MemoryStatistics | None = None,
        guide: Callable[[], CandidatePolicy] = standard_guide,
    ) -> None:
        self._pen = BatchCommitter(tenant, world, store, now, statistics, guide)
        self._queue: deque[Job[Any]] = deque()
        self._chores: dict[Callable[[], Awaitable[None]], asyncio.Future[None]] = {}
        self._wake = asyncio.Event()
        self._stopping = False
        self._refill = False
        self._reloading = asyncio.Lock()
        self._next_reload: asyncio.Task[None] | None = None
        self._reloads: set[asyncio.Task[None]] = set()
        self._task = asyncio.create_task(self._run(), name=f"writer of {tenant}")

    @property
    def world(self) -> World:
        """The memory; only this task changes what it holds."""
        return self._pen.world

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._queue)

    async def submit(self, job: Job[Answer]) -> Answer:
        """Does a job and gives its answer, after the commit.

        Raises:
            Overloaded: The server stops, or too much waits already.
            DatabaseUnavailable: Nothing was written, or nobody knows: repeat the
                request under its id.
            FestingerError: What the job itself raises.
        """
        self._put(job)
        self._wake.set()
        # The caller may go; what it asked for is done all the same.
        return await asyncio.shield(job.done)

    def offer(self, job: Job[Any]) -> bool:
        """Takes a job that nobody waits for; False if there is no room."""
        try:
            self._put(job)
        except Overloaded:
            return False
        asyncio.get_running_loop().call_later(OFFERED_SECONDS, self._wake.set)
        return True

    async def flush(self, *, everything: bool = False) -> None:
        """Write the counters now.

        Args:
            everything: Whether encounters of everyday words are written, too.

        Raises:
            DatabaseUnavailable: They stay in memory and are written later.
        """
        # A world that is being loaded would not have them, nor those left in memory.
        async with self._reloading:
            await self._chore(partial(self._pen.flush, everything=everything))

    async def follow(self) -> None:
        """Takes over what other servers have written.

        Raises:
            DatabaseUnavailable: It cannot be read now.
        """
        await self._chore(self._follow)

    async def reload(self) -> None:
        """Loads the memory anew, beside the one in use, and puts it in its place.

        Nobody waits for it: the old one is read and written until then. What is asked
        for while one is loaded comes after it, and is done once for all who asked.

        Raises:
            DatabaseUnavailable: It cannot be read now; the old one stays.
            CorruptMemory: A row cannot be part of it; the old one stays.
            Overloaded: The server stops.
        """
        if self._next_reload is None:
            self._next_reload = asyncio.create_task(self._reload())
            self._reloads.add(self._next_reload)
            self._next_reload.add_done_callback(self._reloaded)
        # The caller may go; others may have asked as well.
        await asyncio.shield(self._next_reload)

    async def check(self) -> list[str]:
        """How the memory differs from the database: not at all, or there is a defect.

        Raises:
            DatabaseUnavailable: It cannot be read now.
            CorruptMemory: A row cannot be part of a memory.
            Overloaded: The server stops, or others write too fast.
        """
        found: list[str] | None = None

        async def compare() -> None:
            nonlocal found
            found = await self._pen.compare(fresh)

        await self.flush()
        fresh = await self._pen.load()
        await self._chore(compare)
        if found is None:
            raise Overloaded("the server is stopping; ask another one")
        return found

    def refill(self) -> None:
        """Asks for numbers for concepts, so that prompts can bring new ones."""
        self._refill = True
        self._wake.set()

    async def stop(self) -> None:
        """Writes what waits, the counters last, and ends.

        While the database is away, what nobody waits for is lost by this.
        """
        self._stopping = True
        reloads = list(self._reloads)
        for reload in reloads:
            reload.cancel()
        self._wake.set()
        await self._task
        await asyncio.gather(*reloads, return_exceptions=True)
        with suppress(DatabaseUnavailable, Overloaded):
            await self._pen.flush(everything=True)

    async def _reload(self) -> None:
        async with self._reloading:
            # Whoever asks from now on wants what is in the database from now on.
            self._next_reload = None
            await self._chore(self._pen.flush)
            fresh = await self._pen.load()
            await self._chore(partial(self._pen.replace, fresh))
        if self._stopping:
            raise Overloaded(
                "the server is stopping; it loads the memory when it starts"
            )

    def _reloaded(self, reload: asyncio.Task[None]) -> None:
        self._reloads.discard(reload)
        if not reload.cancelled():
            reload.exception()  # those who wait have it

    def _put(self, job: Job[Any]) -> None:
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        if len(self._queue) >= QUEUE_MAX:
            raise Overloaded("too many statements are waiting; try again in a moment")
        self._queue.append(job)

    async def _chore(self, chore: Callable[[], Awaitable[None]]) -> None:
        """Has the task do something between two batches; asked twice, done once."""
        if self._stopping:
            return
        if chore not in self._chores:
            self._chores[chore] = asyncio.get_running_loop().create_future()
            self._wake.set()
        await asyncio.shield(self._chores[chore])

    # The task

    async def _run(self) -> None:
        failures = 0
        while True:
            if not (self._queue or self._chores or self._refill):
                if self._stopping:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            if await self._step():
                failures = 0
                continue
            if self._stopping:
                self._abandon()
                return
            await self._pause(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1

    async def _pause(self, seconds: float) -> None:
        """Waits, but no longer than until somebody comes who must be told."""
        self._wake.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)

    async def _step(self) -> bool:
        """Does what waits now; False if the database is away or too busy."""
        while self._chores:
            chore, done = self._chores.popitem()
            await settle(done, chore())
        jobs = self._take()
        try:
            if self._refill:
                await self._pen.reserve()
                self._refill = False
            if jobs:
                self._queue.extend(await self._pen.write(jobs))
        except (DatabaseUnavailable, Overloaded) as error:
            for job in jobs:
                if job.waited_for:
                    fail(job, error)
            self._queue.extendleft(job for job in reversed(jobs) if not job.waited_for)
            return False
        except Exception as error:
            # A defect must not end the writer, nor leave anybody waiting, nor hit
            # those who only happened to share a transaction with it.
            if len(jobs) > 1:
                self._queue.extendleft(map(_isolated, reversed(jobs)))
                return True
            for job in jobs:
                fail(job, error)
            return bool(jobs)
        return True

    def _take(self) -> list[Job[Any]]:
        """What goes into one transaction: a job that must be alone, or a run of others."""
        jobs: list[Job[Any]] = []
        while self._queue and len(jobs) < BATCH_MAX:
            if self._queue[0].alone:
                return jobs or [self._queue.popleft()]
            jobs.append(self._queue.popleft())
        return jobs

    async def _follow(self) -> None:
        done = await self._pen.follow()
        self._queue = deque(job for job in self._queue if job not in done)

    def _abandon(self) -> None:
        """Ends what waits while the database is away and the server stops."""
        for job in self._queue:
            fail(job, DatabaseUnavailable("the database is away and the server stops"))
        self._queue.clear()


def _isolated(job: Job[Any]) -> Job[Any]:
    job.alone = True
    return job
