"""Runs: long work in steps, at most one at a time per tenant over all processes."""

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
from festinger.core.system.retries import failure_text
from festinger.core.system.runs import SCHEDULE, RunState
from festinger.errors import DatabaseUnavailable, FestingerError, NoModel, Overloaded
from festinger.lifetimes import cancel_all
from festinger.services.system.leases import LEASE_SECONDS, worked
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.runs import RunStore

FOLLOW_SECONDS = 0.5
"""Seconds between two polls of a run on another server."""


class RunAttributes(Protocol):
    """Attributes that all kinds of runs have."""

    id: int
    state: RunState
    ended: float | None
    error: str

    @property
    def done(self) -> int:
        """The number of steps that are done."""


AnyRun = TypeVar("AnyRun", bound=RunAttributes)
About = TypeVar("About")


@dataclass(frozen=True, slots=True)
class RunProgress(Generic[AnyRun, About]):
    """Progress of a run.

    Attributes:
        about: The item that was just handled; None at the beginning and the end.
        error: Why the item failed; empty if it did not.
        seconds: Duration of handling the item.
    """

    run: AnyRun
    about: About | None = None
    error: str = ""
    seconds: float = 0.0


class ActiveRun(Generic[AnyRun, About]):
    """A run in this process, with its watchers."""

    def __init__(self, run: AnyRun) -> None:
        self.run = run
        self._watchers: set[asyncio.Queue[RunProgress[AnyRun, About] | None]] = set()
        self._ended = False

    def tell(self, progress: RunProgress[AnyRun, About]) -> None:
        """Send the progress to all watchers."""
        for watcher in self._watchers:
            watcher.put_nowait(replace(progress, run=copy(progress.run)))

    def end(self) -> None:
        """End the iteration of all watchers."""
        self._ended = True
        for watcher in self._watchers:
            watcher.put_nowait(None)

    async def watch(self) -> AsyncIterator[RunProgress[AnyRun, About]]:
        """Yield the progress, now and after every step, until the end."""
        watcher: asyncio.Queue[RunProgress[AnyRun, About] | None] = asyncio.Queue()
        self._watchers.add(watcher)
        try:
            yield RunProgress(copy(self.run))
            # What was told before the end is still delivered.
            while not (self._ended and watcher.empty()):
                progress = await watcher.get()
                if progress is None:
                    break
                yield progress
        # A watcher that stops listening must not fill its queue for ever.
        finally:
            self._watchers.discard(watcher)


class Runner(ABC, Generic[AnyRun, About]):
    """Base class of runners of a kind of run.

    Args:
        runs: Store of the runs.
        complain: Called with a sentence for each run that could not go on.
    """

    purpose: ClassVar[Purpose]
    """Purpose for which a tenant chooses the model."""
    noun: ClassVar[str]
    """The kind of run in one word, for log messages. Example: `run`."""

    def __init__(
        self,
        memories: Memories,
        runs: RunStore[AnyRun],
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._memories = memories
        self._kept = runs
        self._now = now
        self._complain = complain
        self._underway: dict[str, ActiveRun[AnyRun, About]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        # Two calls at once must not both take the lease, which a process may take twice.
        self._starting = asyncio.Lock()
        self._stopping = False

    # Hooks of subclasses

    @abstractmethod
    async def _begin(
        self, tenant: str, principal: str, due: float | None, wanted: Any
    ) -> AnyRun | None:
        """Insert and return a new run; None if the scheduled run exists already.

        Args:
            due: Scheduled time in seconds since the epoch; None if a person asks.
            wanted: Options of the caller; None for a scheduled run.
        """

    @abstractmethod
    async def _do_all(
        self, memory: TenantMemory, underway: ActiveRun[AnyRun, About]
    ) -> None:
        """Do every step, save the run after each, and report progress."""

    # Scheduling and leases

    async def look(self) -> None:
        """Start the runs that are due, and resume unfinished ones."""
        scheduled = await self._kept.scheduled()
        names = [memory.tenant for memory in scheduled]
        served = set(await self._memories.directory.served(names))
        for memory in scheduled:
            if memory.tenant in self._underway or memory.tenant not in served:
                continue
            # The last moment that has passed: several missed ones are one run.
            due = memory.schedule.latest(memory.since, self._now())
            if due is not None or memory.unfinished:
                await self._start(memory.tenant, SCHEDULE, due=due)

    async def finished(self) -> None:
        """Wait for the runs of this process."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def stop(self) -> None:
        """Cancel the runs of this process; they are resumed later."""
        self._stopping = True
        await cancel_all(self._tasks)

    async def _run(
        self, tenant: str, principal: str, wanted: Any
    ) -> AsyncIterator[RunProgress[AnyRun, About]]:
        """Start a run, or watch the one in progress, until its end.

        Raises:
            NoModel: No model is configured.
            TenantNotFound: There is no such tenant.
        """
        memory = await self._memories.get(tenant)
        key = CHOOSING[self.purpose]
        # Before the run begins, so that the person is told instead of the log.
        if not getattr(memory.preferences, key):
            raise NoModel(unchosen(self.purpose), key=key)
        underway = await self._start(tenant, principal, wanted=wanted)
        # Another process has the run: follow its row.
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
    ) -> ActiveRun[AnyRun, About] | None:
        """Return the run of this process, started if due; None if there is none.

        Args:
            wanted: Options of a person who asks; None if nobody does.
            due: Scheduled time in seconds since the epoch; None only to resume a run,
                unless a person asks.
        """
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        async with self._starting:
            if tenant in self._underway:
                return self._underway[tenant]
            # Held: another process runs, or begins to.
            if not await self._kept.take_lease(tenant, LEASE_SECONDS):
                return None
            # A run that a dead process left is resumed before a new one begins.
            run = await self._kept.running(tenant)
            # An unfinished run may have ended since it was read: nothing to resume then.
            if run is None and (due is not None or wanted is not None):
                run = await self._begin(tenant, principal, due, wanted)
            if run is None:
                await self._kept.drop_lease(tenant)
                return None
            underway = self._underway[tenant] = ActiveRun(run)
        name = f"{self.noun} {run.id}"
        # In a task: the run goes on when the person who asked hangs up.
        task = asyncio.create_task(self._do(tenant, underway), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return underway

    async def _do(self, tenant: str, underway: ActiveRun[AnyRun, About]) -> None:
        """Do a run as long as the lease is held."""
        work = asyncio.create_task(self._work(tenant, underway))
        # The lease is the tenant's; taking it again extends it.
        extend = partial(self._kept.take_lease, tenant, LEASE_SECONDS)
        try:
            if await worked(work, extend, LEASE_SECONDS):
                # An end that cannot be written leaves the run `running`, so that it is resumed.
                with suppress(DatabaseUnavailable, Overloaded):
                    await self._end(tenant, underway.run, work.exception())
                underway.tell(RunProgress(underway.run))
        finally:
            # Before the lease is dropped, so that a watcher does not see it running.
            del self._underway[tenant]
            underway.end()
            with suppress(FestingerError):
                await self._kept.drop_lease(tenant)

    async def _work(self, tenant: str, underway: ActiveRun[AnyRun, About]) -> None:
        await self._do_all(await self._memories.get(tenant), underway)

    async def _end(self, tenant: str, run: AnyRun, error: BaseException | None) -> None:
        """Write the final state of a run."""
        if isinstance(error, DatabaseUnavailable | Overloaded):
            # A later call of `look` resumes it.
            self._complain(f"tenant {tenant}: {self.noun} {run.id} pauses: {error}")
            return
        run.state = RunState.FAILED if error else RunState.DONE
        run.ended = self._now()
        if error:
            run.error = failure_text(error)
            self._complain(f"tenant {tenant}: {self.noun} {run.id} failed: {run.error}")
        await self._kept.save(tenant, run)

    async def _follow(self, tenant: str) -> AsyncIterator[RunProgress[AnyRun, About]]:
        """Yield the progress of a run of another process."""
        run = await self._kept.running(tenant)
        # Nothing to follow: the run ended between the two looks.
        while run:
            yield RunProgress(run)
            if run.state is not RunState.RUNNING:
                return
            done = run.done
            while run.done == done and run.state is RunState.RUNNING:
                await asyncio.sleep(FOLLOW_SECONDS)
                run = await self._kept.get(tenant, run.id)
