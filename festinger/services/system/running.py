"""Runs: long work in steps, one at a time in each memory, whichever process does it.

A run is a row before its first step, and saved after each. Whoever has the lease does it;
if that process ends, the lease runs out, and the next who looks goes on. A schedule begins
runs, and so does a person; whoever asks while one is under way watches that one.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from festinger.core.system.models import CHOOSING, Purpose, unchosen
from festinger.core.system.runs import SCHEDULE, RunState
from festinger.errors import (
    DatabaseUnavailable,
    FestingerError,
    NoModel,
    Overloaded,
)
from festinger.services.system.kept_runs import Kept
from festinger.services.system.leases import worked
from festinger.services.world.memory import Memories, TenantMemory

LEASE_SECONDS = 30.0
"""How long a process may be silent before another goes on with its run."""
FOLLOW_SECONDS = 0.5
"""How often a run on another server is looked at."""


class Stepped(Protocol):
    """What is known of any run."""

    id: int
    state: RunState
    ended: float | None
    error: str

    @property
    def done(self) -> int:
        """How many steps are done."""


AnyRun = TypeVar("AnyRun", bound=Stepped)
About = TypeVar("About")


@dataclass(frozen=True, slots=True)
class RunProgress(Generic[AnyRun, About]):
    """How far a run is.

    Attributes:
        about: What it has just looked at; None at the beginning and the end.
        error: Why nothing came of that; empty if something did.
        seconds: How long that took.
    """

    run: AnyRun
    about: About | None = None
    error: str = ""
    seconds: float = 0.0


class Underway(Generic[AnyRun, About]):
    """A run that this process does, and those who watch it."""

    def __init__(self, run: AnyRun) -> None:
        self.run = run
        self._watchers: set[asyncio.Queue[RunProgress[AnyRun, About] | None]] = set()
        self._ended = False

    def tell(self, progress: RunProgress[AnyRun, About]) -> None:
        """Tells everybody how far it is."""
        for watcher in self._watchers:
            watcher.put_nowait(replace(progress, run=copy(progress.run)))

    def end(self) -> None:
        """Lets everybody go."""
        self._ended = True
        for watcher in self._watchers:
            watcher.put_nowait(None)

    async def watch(self) -> AsyncIterator[RunProgress[AnyRun, About]]:
        """How far it is, now and at every step, to its end."""
        watcher: asyncio.Queue[RunProgress[AnyRun, About] | None] = asyncio.Queue()
        self._watchers.add(watcher)
        try:
            yield RunProgress(copy(self.run))
            while not (self._ended and watcher.empty()):
                progress = await watcher.get()
                if progress is None:
                    break
                yield progress
        finally:
            self._watchers.discard(watcher)


class Runner(ABC, Generic[AnyRun, About]):
    """Does runs.

    Args:
        runs: Where they are kept.
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each run that could not go on.
    """

    purpose: ClassVar[Purpose]
    """What a model is asked for."""
    noun: ClassVar[str]
    """A run in a word, for people. Example: `run`."""

    def __init__(
        self,
        memories: Memories,
        runs: Kept[AnyRun],
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._memories = memories
        self._kept = runs
        self._now = now
        self._complain = complain
        self._underway: dict[str, Underway[AnyRun, About]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._starting = asyncio.Lock()
        self._stopping = False

    # What a run is

    @abstractmethod
    async def _begin(
        self, tenant: str, principal: str, due: float | None, wanted: Any
    ) -> AnyRun | None:
        """A new run; None if that moment of the schedule had one.

        Args:
            wanted: What whoever asks for it wants of it; None if a schedule does.
        """

    @abstractmethod
    async def _do_all(
        self, memory: TenantMemory, underway: Underway[AnyRun, About]
    ) -> None:
        """Does every step, saves the run after each, and tells of it."""

    # How it is done

    async def look(self) -> None:
        """Begins what the schedules want, and goes on with what was left.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        for memory in await self._kept.scheduled():
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

    async def _run(
        self, tenant: str, principal: str, wanted: Any
    ) -> AsyncIterator[RunProgress[AnyRun, About]]:
        """Begins a run, or watches the one that is under way, to its end.

        The run goes on if nobody watches any more.

        Raises:
            NoModel: No model is chosen.
            TenantNotFound: There is no such tenant.
            Overloaded: The server stops.
            DatabaseUnavailable: Nobody can say whether one is under way.
        """
        memory = await self._memories.get(tenant)
        key = CHOOSING[self.purpose]
        if not getattr(memory.preferences, key):
            raise NoModel(unchosen(self.purpose), key=key)
        underway = await self._start(tenant, principal, wanted=wanted)
        watched = underway.watch() if underway else self._follow(tenant)
        async for progress in watched:
            yield progress

    async def _start(
        self,
        tenant: str,
        principal: str,
        *,
        wanted: Any = None,
        due: float | None = None,
    ) -> Underway[AnyRun, About] | None:
        """The run of this process; None if it is another's, or was done already."""
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        async with self._starting:
            if tenant in self._underway:
                return self._underway[tenant]
            if not await self._kept.take_lease(tenant, LEASE_SECONDS):
                return None
            run = await self._kept.running(tenant)
            if run is None:
                run = await self._begin(tenant, principal, due, wanted)
            if run is None:
                await self._kept.drop_lease(tenant)
                return None
            underway = self._underway[tenant] = Underway(run)
        name = f"{self.noun} {run.id}"
        task = asyncio.create_task(self._do(tenant, underway), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return underway

    async def _do(self, tenant: str, underway: Underway[AnyRun, About]) -> None:
        """Does a run, as long as the lease is ours."""
        work = asyncio.create_task(self._work(tenant, underway))
        extend = partial(self._kept.take_lease, tenant, LEASE_SECONDS)
        try:
            if await worked(work, extend, LEASE_SECONDS):
                with suppress(DatabaseUnavailable, Overloaded):
                    await self._end(tenant, underway.run, work.exception())
                underway.tell(RunProgress(underway.run))
        finally:
            del self._underway[tenant]
            underway.end()
            with suppress(FestingerError):
                await self._kept.drop_lease(tenant)

    async def _work(self, tenant: str, underway: Underway[AnyRun, About]) -> None:
        await self._do_all(await self._memories.get(tenant), underway)

    async def _end(self, tenant: str, run: AnyRun, error: BaseException | None) -> None:
        """Writes how a run ended."""
        if isinstance(error, DatabaseUnavailable | Overloaded):
            # Whoever looks next goes on with it.
            self._complain(f"tenant {tenant}: {self.noun} {run.id} pauses: {error}")
            return
        run.state = RunState.FAILED if error else RunState.DONE
        run.ended = self._now()
        if error:
            # What is no error of ours is a defect: a person must see it.
            ours = isinstance(error, FestingerError)
            run.error = str(error) if ours else f"a defect of the server: {error!r}"
            self._complain(f"tenant {tenant}: {self.noun} {run.id} failed: {run.error}")
        await self._kept.save(tenant, run)

    async def _follow(self, tenant: str) -> AsyncIterator[RunProgress[AnyRun, About]]:
        """How far the run of another process is."""
        run = await self._kept.running(tenant)
        while run:
            yield RunProgress(run)
            if run.state is not RunState.RUNNING:
                return
            done = run.done
            while run.done == done and run.state is RunState.RUNNING:
                await asyncio.sleep(FOLLOW_SECONDS)
                run = await self._kept.get(tenant, run.id)
