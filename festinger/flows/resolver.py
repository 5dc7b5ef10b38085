"""Runs of the resolver: one at a time for each memory, whichever server it is on.

A run belongs to whoever has the lease. If its process ends, the lease runs out, and the
next who looks goes on with the same run: every decision is a transaction of its own, so
nothing is half done.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

from festinger.core.models import Purpose, unchosen
from festinger.core.resolution import Conflict, Decision
from festinger.core.runs import SCHEDULE, Run, RunState
from festinger.errors import (
    DatabaseUnavailable,
    FestingerError,
    NoModel,
    Overloaded,
)
from festinger.flows.advising import Advised, settle_by_model
from festinger.flows.leases import worked
from festinger.flows.memory import Memories
from festinger.flows.model_ports import LanguageModel
from festinger.flows.run_ports import Runs

LEASE_SECONDS = 30.0
"""How long a process may be silent before another goes on with its run."""
FOLLOW_SECONDS = 0.5
"""How often a run on another server is looked at."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        conflict: What it has just looked at; None at the beginning and the end.
        error: Why that stays pending; empty if it is settled.
        seconds: How long that took.
    """

    run: Run
    conflict: Conflict | None = None
    error: str = ""
    seconds: float = 0.0


class Underway:
    """A run that this process does, and those who watch it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._watchers: set[asyncio.Queue[Progress | None]] = set()
        self._ended = False

    def tell(self, progress: Progress) -> None:
        """Tells everybody how far it is."""
        for watcher in self._watchers:
            watcher.put_nowait(replace(progress, run=replace(progress.run)))

    def end(self) -> None:
        """Lets everybody go."""
        self._ended = True
        for watcher in self._watchers:
            watcher.put_nowait(None)

    async def watch(self) -> AsyncIterator[Progress]:
        """How far it is, now and at every step, to its end."""
        watcher: asyncio.Queue[Progress | None] = asyncio.Queue()
        self._watchers.add(watcher)
        try:
            yield Progress(replace(self.run))
            while not (self._ended and watcher.empty()):
                progress = await watcher.get()
                if progress is None:
                    break
                yield progress
        finally:
            self._watchers.discard(watcher)


class Resolver:
    """Lets models settle what waits.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each run that could not go on.
    """

    def __init__(
        self,
        memories: Memories,
        models: LanguageModel,
        runs: Runs,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.runs = runs
        self._memories = memories
        self._models = models
        self._now = now
        self._complain = complain
        self._underway: dict[str, Underway] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._starting = asyncio.Lock()
        self._stopping = False

    async def run(
        self, tenant: str, principal: str, only: Sequence[int] = ()
    ) -> AsyncIterator[Progress]:
        """Begins a run, or watches the one that is under way, to its end.

        The run goes on if nobody watches any more.

        Raises:
            NoModel: No model is chosen.
            TenantNotFound: There is no such tenant.
            Overloaded: The server stops.
            DatabaseUnavailable: Nobody can say whether one is under way.
        """
        memory = await self._memories.get(tenant)
        if not memory.preferences.resolve_model_id:
            raise NoModel(unchosen(Purpose.RESOLVE), key="resolve_model_id")
        underway = await self._start(tenant, principal, only=only)
        if underway:
            async for progress in underway.watch():
                yield progress
        else:
            async for progress in self._follow(tenant):
                yield progress

    async def look(self) -> None:
        """Begins what the schedules want, and goes on with what was left.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        for memory in await self.runs.scheduled():
            if memory.tenant in self._underway:
                continue
            due = memory.schedule.latest(memory.since, self._now())
            if due is not None or memory.unfinished:
                await self._start(memory.tenant, SCHEDULE, due=due)

    async def finished(self) -> None:
        """Waits for the runs that this process does."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def stop(self) -> None:
        """Leaves the runs that are under way: who looks next goes on with them."""
        self._stopping = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _start(
        self,
        tenant: str,
        principal: str,
        *,
        only: Sequence[int] = (),
        due: float | None = None,
    ) -> Underway | None:
        """The run of this process; None if it is another's, or was done already."""
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        async with self._starting:
            if tenant in self._underway:
                return self._underway[tenant]
            if not await self.runs.take_lease(tenant, LEASE_SECONDS):
                return None
            run = await self.runs.running(tenant)
            if run is None:
                run = await self.runs.begin(
                    tenant, principal, now=self._now(), due=due, only=only
                )
            if run is None:
                await self.runs.drop_lease(tenant)
                return None
            underway = self._underway[tenant] = Underway(run)
        task = asyncio.create_task(self._do(tenant, underway), name=f"run {run.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return underway

    async def _do(self, tenant: str, underway: Underway) -> None:
        """Does a run, as long as the lease is ours."""
        work = asyncio.create_task(self._settle_all(tenant, underway))
        extend = partial(self.runs.take_lease, tenant, LEASE_SECONDS)
        try:
            if await worked(work, extend, LEASE_SECONDS):
                with suppress(DatabaseUnavailable, Overloaded):
                    await self._end(tenant, underway.run, work.exception())
                underway.tell(Progress(underway.run))
        finally:
            del self._underway[tenant]
            underway.end()
            with suppress(FestingerError):
                await self.runs.drop_lease(tenant)

    async def _settle_all(self, tenant: str, underway: Underway) -> None:
        run = underway.run
        memory = await self._memories.get(tenant)
        waiting = await self.runs.for_models(tenant, run.only)
        # One that is gone on with has looked at some of them.
        run.total = run.done + len(waiting)
        underway.tell(Progress(run))
        for conflict_id in waiting:
            started = monotonic()
            advised = await settle_by_model(
                memory, conflict_id, models=self._models, runs=self.runs
            )
            _count(run, advised)
            await self.runs.save(tenant, run)
            seconds = monotonic() - started
            underway.tell(Progress(run, advised.conflict, advised.error, seconds))

    async def _end(self, tenant: str, run: Run, error: BaseException | None) -> None:
        """Writes how a run ended."""
        if isinstance(error, DatabaseUnavailable | Overloaded):
            # Whoever looks next goes on with it.
            self._complain(f"tenant {tenant}: run {run.id} pauses: {error}")
            return
        run.state = RunState.FAILED if error else RunState.DONE
        run.ended = self._now()
        if error:
            # What is no error of ours is a defect: a person must see it.
            ours = isinstance(error, FestingerError)
            run.error = str(error) if ours else f"a defect of the server: {error!r}"
            self._complain(f"tenant {tenant}: run {run.id} failed: {run.error}")
        await self.runs.save(tenant, run)

    async def _follow(self, tenant: str) -> AsyncIterator[Progress]:
        """How far the run of another process is."""
        run = await self.runs.running(tenant)
        while run:
            yield Progress(run)
            if run.state is not RunState.RUNNING:
                return
            done = run.done
            while run.done == done and run.state is RunState.RUNNING:
                await asyncio.sleep(FOLLOW_SECONDS)
                run = await self.runs.get(tenant, run.id)


def _count(run: Run, advised: Advised) -> None:
    if advised.skipped:
        run.skipped += 1
    elif advised.error:
        run.failed += 1
    elif advised.conflict.decision is Decision.DISMISS:
        run.dismissed += 1
    else:
        run.resolved += 1
