"""Queue of jobs with one writer per tenant, which makes all changes of a memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import structlog

from festinger.core.graph.predicates import Registry
from festinger.core.validation.routing import (
    CandidatePolicy,
    default_candidate_policy,
)
from festinger.core.world.world import World
from festinger.errors import DatabaseUnavailable, Overloaded
from festinger.services.world.committer import BatchCommitter
from festinger.services.world.jobs import Job, fail, settle
from festinger.services.world.statistics import MemoryStatistics
from festinger.store.postgres import PostgresStore
from festinger.store.world.batches import RacesLost

Answer = TypeVar("Answer")
log = structlog.get_logger(__name__)

# Measured: 473 rows a second one by one, 19,000 to 39,000 in batches of 100 to 500.
BATCH_MAX = 500
"""Maximum number of jobs in one transaction."""
QUEUE_MAX = 20_000
"""Maximum number of queued jobs; beyond it callers are asked to try again."""
OFFERED_SECONDS = 0.0003
"""Delay of jobs that no caller waits for, so that the prompt that offered them is
answered first: with few cores, the two would share one."""
RETRY_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Pauses in seconds while the database is unavailable; the last one repeats."""


class Writer:
    """Writer of a tenant, which does jobs in the order of their arrival."""

    def __init__(
        self,
        tenant: str,
        world: World,
        store: PostgresStore,
        now: Callable[[], float],
        statistics: MemoryStatistics | None = None,
        candidate_policy: Callable[[], CandidatePolicy] = default_candidate_policy,
    ) -> None:
        counted = statistics or MemoryStatistics()
        self._committer = BatchCommitter(
            tenant, world, store, now, counted, candidate_policy
        )
        self._queue: deque[Job[Any]] = deque()
        self._chores: dict[Callable[[], Awaitable[None]], asyncio.Future[None]] = {}
        self._wake = asyncio.Event()
        self._stopping = False
        self._refill = False
        self._reloading = asyncio.Lock()
        self._next_reload: asyncio.Task[None] | None = None
        self._reloads: set[asyncio.Task[None]] = set()
        # One task: batches of a tenant never overlap, and nothing else changes its world.
        self._task = asyncio.create_task(self._run(), name=f"writer of {tenant}")

    @property
    def world(self) -> World:
        """The graph in memory; only the writer's task changes it."""
        return self._committer.world

    @property
    def waiting(self) -> int:
        """The number of queued jobs."""
        return len(self._queue)

    async def submit(self, job: Job[Answer]) -> Answer:
        """Do a job and return its answer after the commit.

        Raises:
            DatabaseUnavailable: Nothing was written, or the outcome is unknown: repeat
                the request under its id.
            FestingerError: Raised by the job itself.
        """
        self._put(job)
        self._wake.set()
        # The job is done even if the caller is cancelled.
        return await asyncio.shield(job.done)

    def offer(self, job: Job[Any]) -> bool:
        """Queue a job that no caller waits for; return False if the queue is full."""
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
        """
        # A world that is being loaded would miss these counts, and the unwritten ones.
        async with self._reloading:
            await self._chore(partial(self._committer.flush, everything=everything))

    async def follow(self, version: int | None = None) -> None:
        """Apply what other servers have written.

        Args:
            version: A version that is new enough; None for the newest one. A batch that is
                under way may reach it.
        """
        await self._chore(partial(self._follow, version))

    async def read_predicates(self, read: Callable[[], Awaitable[Registry]]) -> None:
        """Read the predicates again, between two batches, which may define some."""

        async def refresh() -> None:
            """Read them within the writer's turn."""
            self.world.predicates = await read()

        await self._chore(refresh)

    async def reload(self) -> None:
        """Load the memory again beside the one in use, then replace it.

        The old memory is read and written until then. Requests that arrive during a
        load share one further load after it.

        Raises:
            DatabaseUnavailable: The memory cannot be read now; the old one stays.
            CorruptMemory: A row cannot be loaded; the old one stays.
        """
        # A load that has begun may miss what was written since: wait for the next one.
        if self._next_reload is None:
            self._next_reload = asyncio.create_task(self._reload())
            self._reloads.add(self._next_reload)
            self._next_reload.add_done_callback(self._reloaded)
        # A cancelled caller must not cancel the reload of others.
        await asyncio.shield(self._next_reload)

    async def check(self) -> list[str]:
        """Return the differences between memory and database; any is a defect.

        Raises:
            CorruptMemory: A row cannot be loaded.
        """
        found: list[str] | None = None

        async def compare() -> None:
            """Compare within the writer's turn."""
            nonlocal found
            found = await self._committer.compare(fresh)

        await self.flush()
        # Beside the batches, since loading takes long; only the comparison is in a chore.
        fresh = await self._committer.load()
        await self._chore(compare)
        if found is None:
            raise Overloaded("the server is stopping; ask another one")
        return found

    def refill(self) -> None:
        """Request more reserved numbers, so that prompts can bring new concepts."""
        self._refill = True
        self._wake.set()

    async def stop(self) -> None:
        """Write what is queued, the counters last, and end the task.

        If the database is unavailable, the jobs that no caller waits for are lost.
        """
        self._stopping = True
        reloads = list(self._reloads)
        for reload in reloads:
            reload.cancel()
        self._wake.set()
        await self._task
        await asyncio.gather(*reloads, return_exceptions=True)
        # The last counts: words of every day are written at the end only.
        with suppress(DatabaseUnavailable, Overloaded):
            await self._committer.flush(everything=True)

    async def _reload(self) -> None:
        async with self._reloading:
            # A later request must see the database as it is from now on.
            self._next_reload = None
            await self._chore(self._committer.flush)
            fresh = await self._committer.load()
            await self._chore(partial(self._committer.replace, fresh))
        if self._stopping:
            raise Overloaded(
                "the server is stopping; it loads the memory when it starts"
            )

    def _reloaded(self, reload: asyncio.Task[None]) -> None:
        self._reloads.discard(reload)
        if not reload.cancelled():
            reload.exception()  # waiting callers get it themselves

    def _put(self, job: Job[Any]) -> None:
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        if len(self._queue) >= QUEUE_MAX:
            raise Overloaded("too many statements are waiting; try again in a moment")
        self._queue.append(job)

    async def _chore(self, chore: Callable[[], Awaitable[None]]) -> None:
        """Have the task run a function between two batches, once for all callers."""
        if self._stopping:
            # Nobody needs it: the queue is written, and the counters by `stop`.
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
                # Cleared before waiting, with nothing due: a job that comes now sets it again.
                self._wake.clear()
                await self._wake.wait()
                continue
            if await self._step():
                failures = 0
                continue
            # One attempt is made at the end; waiting for a database could take for ever.
            if self._stopping:
                self._abandon()
                return
            await self._pause(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1

    async def _pause(self, seconds: float) -> None:
        """Wait, but only until a new job arrives whose caller must be answered."""
        self._wake.clear()
        with suppress(TimeoutError):
            # `wait_for` of Python 3.11 loses a cancellation as the event is set.
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    async def _step(self) -> bool:
        """Do what is due; return False if the database is unavailable or overloaded."""
        while self._chores:
            chore, done = self._chores.popitem()
            await settle(done, chore())
        jobs = self._take()
        try:
            if self._refill:
                await self._committer.reserve()
                self._refill = False
            if jobs:
                more = partial(self._take_more, jobs)
                # Repeated requests are due after the ones that they repeat.
                self._queue.extend(await self._committer.write(jobs, more))
        except RacesLost as error:
            return self._fail(jobs, error)
        except (DatabaseUnavailable, Overloaded) as error:
            # Callers may repeat it under its id; what has no caller keeps its place in the queue.
            for job in jobs:
                if job.waited_for:
                    fail(job, error)
            self._queue.extendleft(job for job in reversed(jobs) if not job.waited_for)
            return False
        except Exception as error:
            return self._fail(jobs, error)
        return True

    def _fail(self, jobs: list[Job[Any]], error: Exception) -> bool:
        """Fail the job with a defect; return False if there is none."""
        # It must not end the writer, leave callers waiting, or fail the other jobs of the
        # transaction: then each alone, so that only the one with the defect fails.
        if len(jobs) > 1:
            self._queue.extendleft(map(_isolated, reversed(jobs)))
            return True
        for job in jobs:
            # Callers are told by the error; of the others nobody would learn.
            if not job.waited_for:
                log.error("job_failed", job=type(job).__name__, exc_info=error)
            fail(job, error)
        return bool(jobs)

    def _take(self) -> list[Job[Any]]:
        """Take the jobs of the next transaction: one that must be alone, or several."""
        # Whatever arrived while the last batch was committed: no caller waits for one to fill.
        jobs: list[Job[Any]] = []
        while self._queue and len(jobs) < BATCH_MAX:
            # What stands before it is written first: the order of arrival is kept.
            if self._queue[0].alone:
                return jobs or [self._queue.popleft()]
            jobs.append(self._queue.popleft())
        return jobs

    def _take_more(self, jobs: list[Job[Any]], ledger_rows: int) -> list[Job[Any]]:
        """Take jobs that came since, to be done with others.

        Args:
            ledger_rows: How many ledger rows they may write.
        """
        found: list[Job[Any]] = []
        while self._queue and len(jobs) + len(found) < BATCH_MAX:
            # More would need numbers that are not reserved, within the lock.
            ledger_rows -= self._queue[0].ledger_rows
            if ledger_rows < 0 or self._queue[0].alone:
                break
            found.append(self._queue.popleft())
        return found

    async def _follow(self, version: int | None) -> None:
        if version is not None and self.world.version >= version:
            return
        done = await self._committer.follow()
        # Jobs of a batch in doubt, which the log shows as done, are not done again.
        self._queue = deque(job for job in self._queue if job not in done)

    def _abandon(self) -> None:
        """Fail the queued jobs if the server stops while the database is away."""
        for job in self._queue:
            fail(job, DatabaseUnavailable("the database is away and the server stops"))
        self._queue.clear()


def _isolated(job: Job[Any]) -> Job[Any]:
    job.alone = True
    return job
