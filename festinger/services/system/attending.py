"""Work that a language model does in the background: leased, and one piece at a time.

A piece belongs to whoever has its lease. If that process ends, the lease runs out, and
the next who looks does it. A model that gives no answer to anything is left alone for a
while, with all that waits for it; a piece that fails waits longer each time.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from festinger.core.system.models import CHOOSING, Purpose, unchosen
from festinger.core.system.retries import ATTEMPTS_MAX, backoff
from festinger.errors import (
    BadAnswer,
    DatabaseUnavailable,
    FestingerError,
    KeyUnreadable,
    ModelError,
    ModelExhausted,
    NoModel,
    Overloaded,
)
from festinger.services.system.leases import worked
from festinger.services.world.memory import Memories, TenantMemory

LEASE_SECONDS = 30.0
"""How long a process may be silent before another does its work."""
REST_SECONDS = 300.0
"""How long a model that gives no answer to anything is left alone."""
ERROR_CHARACTERS_MAX = 500

Piece = TypeVar("Piece")


@dataclass(frozen=True, slots=True)
class Rest:
    """A model that is left alone.

    Attributes:
        until: Seconds since the epoch.
    """

    model_id: int
    until: float
    why: str


@dataclass(frozen=True, slots=True)
class Setback:
    """How a piece of work that failed waits from now on.

    Attributes:
        due: Before then nobody tries again; None if it is given up.
    """

    why: str
    attempts: int
    due: float | None


class LeasedWorker(ABC, Generic[Piece]):
    """Has models do what waits for them, a task for each memory.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each answer that did not come.
    """

    purpose: ClassVar[Purpose]
    """What a model is asked for."""
    doing: ClassVar[str]
    """The work in a word, for people. Example: `asking`."""
    patience: ClassVar[int] = ATTEMPTS_MAX
    """After so many answers that cannot be used a piece is given up."""
    attempts_max: ClassVar[int] = ATTEMPTS_MAX
    """After so many failures of any kind it is."""

    def __init__(
        self,
        memories: Memories,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._memories = memories
        self._now = now
        self._complain = complain
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._apart: set[asyncio.Task[BaseException | None]] = set()
        self._rests: dict[str, Rest] = {}
        self._stopping = False

    # What the work is

    @abstractmethod
    async def _due(self) -> list[str]:
        """The memories with a model chosen and something to do."""

    @abstractmethod
    async def _lease(self, tenant: str) -> Piece | None:
        """The next piece, for a while nobody else's; None if there is none."""

    @abstractmethod
    async def _extend(self, tenant: str, piece: Piece) -> bool:
        """Extends a lease; False if it is another's by now."""

    @abstractmethod
    async def _do(self, memory: TenantMemory, piece: Piece) -> None:
        """Does it, and writes that it is done."""

    @abstractmethod
    async def _give_back(
        self, memory: TenantMemory, piece: Piece, setback: Setback | None
    ) -> None:
        """Gives a lease back; without a setback the piece is as it was."""

    @abstractmethod
    def _lament(self, piece: Piece) -> str:
        """What did not come about, for people."""

    # How it is done

    async def look(self) -> None:
        """Begins where there is something to do, and a model that answers.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        for tenant in await self._due():
            if self._stopping or tenant in self._busy:
                continue
            try:
                memory = await self._memories.get(tenant)
            except (DatabaseUnavailable, Overloaded):
                raise
            except FestingerError as error:
                # What is wrong with one memory keeps no other waiting.
                self._complain(f"tenant {tenant}: {self.doing} pauses: {error}")
                continue
            if self.resting(memory):
                continue
            name = f"{self.doing} for {tenant}"
            task = asyncio.create_task(self._do_all(memory), name=name)
            self._busy[tenant] = task
            task.add_done_callback(partial(self._done, tenant))

    def resting(self, memory: TenantMemory) -> str:
        """Why nobody is asked at the moment; empty if somebody is."""
        model_id = self._model_id(memory)
        if not model_id:
            return unchosen(self.purpose)
        rest = self._rests.get(memory.tenant)
        if rest and rest.model_id == model_id and self._now() < rest.until:
            return rest.why
        return ""

    async def finished(self) -> None:
        """Waits until all is done that this process began."""
        await asyncio.gather(*self._tasks(), return_exceptions=True)

    async def stop(self) -> None:
        """Leaves what is being done: whoever looks next does it."""
        self._stopping = True
        tasks = self._tasks()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(
        self, memory: TenantMemory, piece: Piece
    ) -> asyncio.Task[BaseException | None]:
        """Does a leased piece beside the others, whether or not somebody waits for it."""
        task = asyncio.create_task(self._attend(memory, piece))
        self._apart.add(task)

        def ended(task: asyncio.Task[BaseException | None]) -> None:
            self._apart.discard(task)
            if not task.cancelled() and (error := task.exception()):
                self._complain(f"tenant {memory.tenant}: {self.doing} ends: {error!r}")

        task.add_done_callback(ended)
        return task

    def _tasks(self) -> list[asyncio.Task[Any]]:
        return [*self._busy.values(), *self._apart]

    def _model_id(self, memory: TenantMemory) -> int:
        """The number of the chosen model; 0 for none."""
        number: int = getattr(memory.preferences, CHOOSING[self.purpose])
        return number

    def _done(self, tenant: str, task: asyncio.Task[None]) -> None:
        del self._busy[tenant]
        if not task.cancelled() and (error := task.exception()):
            # What is no error of ours is a defect: a person must see it.
            self._complain(f"tenant {tenant}: {self.doing} ended: {error!r}")

    async def _do_all(self, memory: TenantMemory) -> None:
        """Does one piece after the other, as long as there are answers."""
        try:
            while not (self._stopping or self.resting(memory)):
                piece = await self._lease(memory.tenant)
                if piece is None:
                    return
                await self._attend(memory, piece)
        except (DatabaseUnavailable, Overloaded) as error:
            # The lease runs out, and whoever looks next tries again.
            self._complain(f"tenant {memory.tenant}: {self.doing} pauses: {error}")

    async def _attend(self, memory: TenantMemory, piece: Piece) -> BaseException | None:
        """Does a piece, as long as the lease is ours; what went wrong."""
        work = asyncio.create_task(self._do(memory, piece))
        extend = partial(self._extend, memory.tenant, piece)
        if not await worked(work, extend, LEASE_SECONDS):
            return None
        error = work.exception()
        if error is not None:
            await self._judge(memory, piece, error)
        return error

    async def _judge(
        self, memory: TenantMemory, piece: Piece, error: BaseException
    ) -> None:
        """What follows from how it ended."""
        if isinstance(error, DatabaseUnavailable | Overloaded):
            raise error
        why = str(error)
        if not isinstance(error, FestingerError):
            # What is no error of ours is a defect: a person must see it.
            why = f"a defect of the server: {error!r}"
        why = why[:ERROR_CHARACTERS_MAX]
        self._complain(f"tenant {memory.tenant}: {self._lament(piece)}: {why}")
        unanswered = isinstance(error, ModelError) and not isinstance(error, BadAnswer)
        if unanswered or isinstance(error, KeyUnreadable):
            until = self._now() + REST_SECONDS
            self._rests[memory.tenant] = Rest(self._model_id(memory), until, why)
        await self._give_back(memory, piece, self._setback(piece, error, why))

    def _setback(self, piece: Piece, error: BaseException, why: str) -> Setback | None:
        """How long the piece waits; None if it is none of its business."""
        if isinstance(error, NoModel):
            return None
        failed = self._attempts(piece)
        if isinstance(error, ModelExhausted):
            return Setback(why, failed, self._now() + REST_SECONDS)
        failed += 1
        bad = isinstance(error, BadAnswer)
        enough = self.patience if bad else self.attempts_max
        due = None if failed >= enough else self._now() + backoff(failed)
        return Setback(why, failed, due)

    @abstractmethod
    def _attempts(self, piece: Piece) -> int:
        """How often it has failed."""
