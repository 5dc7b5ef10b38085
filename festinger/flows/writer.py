"""One writer per tenant: judge, reserve, commit, publish, acknowledge.

Everything that changes a memory passes this queue. A batch is whatever arrived while
the last one was committed, so nobody waits for a batch to fill, and the graph in memory
is never ahead of Postgres.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from festinger.core.draft import Draft, Witness
from festinger.core.proposal import Proposal
from festinger.core.world import World
from festinger.errors import (
    DatabaseUnavailable,
    FestingerError,
    Overloaded,
    RequestIdReused,
)
from festinger.flows.counters import Counters
from festinger.flows.jobs import Job, Prompt, segment_key
from festinger.flows.ports import Batch, RaceLost, Store

Answer = TypeVar("Answer")

BATCH_MAX = 500
"""Jobs in one transaction, at most."""
QUEUE_MAX = 20_000
"""Jobs that wait, at most; beyond it callers are asked to try again."""
RACES_MAX = 20
"""How often a batch is judged again because another server was first."""
RETRY_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Pauses while the database is away; the last one repeats."""
CONCEPTS_RESERVED = 2_000
LEDGER_RESERVED = 1_000
"""Numbers taken at a time. A restart leaves the rest of a block unused."""


class Writer:
    """Writes what becomes of statements, in the order in which they came."""

    def __init__(
        self, tenant: str, world: World, store: Store, now: Callable[[], float]
    ) -> None:
        self._tenant = tenant
        self._world = world
        self._store = store
        self._now = now
        self._counters = Counters(tenant, world, store)
        self._queue: deque[Job[Any]] = deque()
        self._wake = asyncio.Event()
        self._stopping = False
        self._refill = False
        self._flushing: asyncio.Future[None] | None = None
        self._doubtful: set[int] = set()
        self._task = asyncio.create_task(self._run(), name=f"writer of {tenant}")

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
        # The caller may go; what it asked for is done all the same.
        return await asyncio.shield(job.done)

    def offer(self, job: Job[Any]) -> bool:
        """Takes a job that nobody waits for; False if there is no room."""
        with suppress(Overloaded):
            self._put(job)
            return True
        return False

    async def flush(self) -> None:
        """Writes the counters now.

        Raises:
            DatabaseUnavailable: They stay in memory and are written later.
        """
        if self._flushing is None:
            self._flushing = asyncio.get_running_loop().create_future()
            self._wake.set()
        await asyncio.shield(self._flushing)

    def refill(self) -> None:
        """Asks for numbers for concepts, so that prompts can bring new ones."""
        self._refill = True
        self._wake.set()

    async def stop(self) -> None:
        """Writes what waits, the counters last, and ends.

        While the database is away, what nobody waits for is lost by this.
        """
        self._stopping = True
        self._wake.set()
        await self._task
        with suppress(DatabaseUnavailable):
            await self._counters.flush()

    def _put(self, job: Job[Any]) -> None:
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        if len(self._queue) >= QUEUE_MAX:
            raise Overloaded("too many statements are waiting; try again in a moment")
        self._queue.append(job)
        self._wake.set()

    async def _run(self) -> None:
        failures = 0
        while True:
            if not (self._queue or self._flushing or self._refill):
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
        """Does what waits now; False if the database is away."""
        if self._flushing:
            flushing, self._flushing = self._flushing, None
            await _settle(flushing, self._counters.flush())
        jobs = self._take()
        try:
            if self._refill:
                await reserve(self._store, self._tenant, self._world)
                self._refill = False
            if jobs:
                await self._write(jobs)
        except DatabaseUnavailable as error:
            for job in jobs:
                if job.waited_for:
                    _fail(job, error)
            self._queue.extendleft(job for job in reversed(jobs) if not job.waited_for)
            return False
        except Exception as error:
            # A defect must not end the writer, nor leave anybody waiting, nor hit
            # those who only happened to share a transaction with it.
            if len(jobs) > 1:
                self._queue.extendleft(map(_isolated, reversed(jobs)))
                return True
            for job in jobs:
                _fail(job, error)
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

    async def _write(self, jobs: list[Job[Any]]) -> None:
        for _ in range(RACES_MAX):
            try:
                return await self._attempt(jobs)
            except RaceLost as race:
                await self._store.take_over(self._tenant, self._world, race)
        raise Overloaded("other servers write the same concepts; try again in a moment")

    async def _attempt(self, jobs: list[Job[Any]]) -> None:
        await self._recover()
        fresh = await self._answer_repeated(jobs)
        for job in fresh:
            await job.load(self._tenant, self._store)
        proposals = [proposal for job in fresh for proposal in job.proposals]
        await self._skip_judged(fresh, proposals)
        await reserve(self._store, self._tenant, self._world, len(proposals))
        witnesses = await self._store.witnesses(
            self._tenant, self._corroborations(proposals)
        )
        draft = Draft(self._world, witnesses=witnesses, now=self._now())
        batch = Batch(draft.changes, now=draft.now)
        for job in fresh:
            job.decide(draft, batch)
        await self._commit(fresh, draft, batch)

    async def _commit(self, jobs: list[Job[Any]], draft: Draft, batch: Batch) -> None:
        if not jobs:
            return
        try:
            committed = await self._store.commit(self._tenant, batch)
        except DatabaseUnavailable:
            # It may have been committed before the connection broke.
            self._doubtful |= draft.changes.touched
            raise
        draft.publish(committed.conflicts, committed.version)
        for job in jobs:
            await _settle(job.done, job.answer(self._tenant, self._store, committed))

    async def _recover(self) -> None:
        if self._doubtful:
            race = RaceLost(places=self._doubtful)
            await self._store.take_over(self._tenant, self._world, race)
            self._doubtful = set()

    async def _answer_repeated(self, jobs: list[Job[Any]]) -> list[Job[Any]]:
        """Answers the jobs whose request was answered before; returns the others."""
        keys = [job.request for job in jobs if job.request]
        known = await self._store.answered(self._tenant, keys)
        fresh: list[Job[Any]] = []
        first: dict[tuple[str, str], Job[Any]] = {}
        for job in jobs:
            if job.done.done():
                continue
            if job.request is None:
                fresh.append(job)
                continue
            name = (job.request.principal, job.request.id)
            if name in known:
                request, answered = known[name]
                if request != job.request:
                    _fail(job, _reused(job))
                    continue
                replay = job.replay(self._tenant, self._store, answered)
                await _settle(job.done, replay)
            elif name in first:
                # The same call twice in one batch: the second waits for the next.
                self._queue.append(job)
                self._wake.set()
            else:
                first[name] = job
                fresh.append(job)
        return fresh

    async def _skip_judged(
        self, jobs: list[Job[Any]], proposals: list[Proposal]
    ) -> None:
        keys = {key for each in proposals if (key := segment_key(each))}
        judged = await self._store.judged(self._tenant, keys)
        for job in jobs:
            if isinstance(job, Prompt):
                job.skip(judged)

    def _corroborations(self, proposals: list[Proposal]) -> set[Witness]:
        """The statements that may confirm a fact: of these the ledger must be asked."""
        return {
            (each.triple, each.principal)
            for each in proposals
            if self._world.is_known(each.triple.concept)
        }

    def _abandon(self) -> None:
        """Ends what waits while the database is away and the server stops."""
        for job in self._queue:
            _fail(job, DatabaseUnavailable("the database is away and the server stops"))
        self._queue.clear()


async def reserve(store: Store, tenant: str, world: World, statements: int = 0) -> None:
    """Gets a world numbers enough for prompts, and for these statements.

    Raises:
        DatabaseUnavailable: It cannot be asked.
    """
    if len(world.concept_ids) < 3 * statements + CONCEPTS_RESERVED // 2:
        count = 3 * statements + CONCEPTS_RESERVED
        world.concept_ids.add(await store.reserve(tenant, "concept", count))
    if len(world.ledger_ids) < statements:
        count = statements + LEDGER_RESERVED
        world.ledger_ids.add(await store.reserve(tenant, "assertion", count))


def _reused(job: Job[Any]) -> FestingerError:
    assert job.request is not None
    return RequestIdReused(
        f"the request_id {job.request.id!r} came with another request before; use a "
        "new one for each call",
        request_id=job.request.id,
    )


def _isolated(job: Job[Any]) -> Job[Any]:
    job.alone = True
    return job


def _fail(job: Job[Any], error: BaseException) -> None:
    if isinstance(job, Prompt):
        job.withdraw()
    if not job.done.done():
        job.done.set_exception(error)
        # Nobody may be waiting any more, and that is fine.
        job.done.exception()


async def _settle(done: asyncio.Future[Any], answer: Any) -> None:
    """Gives a future the result of an awaitable, or its error."""
    try:
        result = await answer
    except Exception as error:
        if not done.done():
            done.set_exception(error)
            done.exception()
    else:
        if not done.done():
            done.set_result(result)
