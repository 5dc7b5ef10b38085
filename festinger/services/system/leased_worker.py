"""Background work of language models: leased, and one piece at a time."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from festinger.core.system.models import CHOOSING, Purpose, unchosen
from festinger.core.system.retries import (
    ATTEMPTS_MAX,
    ERROR_CHARACTERS_MAX,
    backoff,
    failure_text,
)
from festinger.errors import (
    BadAnswer,
    DatabaseUnavailable,
    KeyUnreadable,
    ModelError,
    ModelExhausted,
    NoModel,
    Overloaded,
)
from festinger.lifetimes import cancel_all
from festinger.services.system.leases import LEASE_SECONDS, each_served, worked
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory

PAUSE_SECONDS = 300.0
"""Seconds for which an unavailable model is not asked."""


class ModelPause(NamedTuple):
    """Pause of an unavailable model.

    Attributes:
        until: End of the pause in seconds since the epoch.
        why: The error that caused it.
    """

    model_id: int
    until: float
    why: str


class ModelPauses:
    """Pauses of unavailable models, at most one per tenant."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._pauses: dict[str, ModelPause] = {}

    def begin(self, tenant: str, model_id: int, why: str) -> None:
        """Pause a tenant's model, which failed."""
        self._pauses[tenant] = ModelPause(model_id, self._now() + PAUSE_SECONDS, why)

    def end(self, tenant: str) -> None:
        """End the pause of a tenant's model, if any."""
        self._pauses.pop(tenant, None)

    def why(self, tenant: str, model_id: int) -> str:
        """Return why a tenant's model is not asked at the moment; empty if it may be."""
        pause = self._pauses.get(tenant)
        # Another model, chosen in the meantime, need not rest.
        if pause and pause.model_id == model_id and self._now() < pause.until:
            return pause.why
        return ""


Piece = TypeVar("Piece")


@dataclass(frozen=True, slots=True)
class RetryState:
    """Retry state of a piece of work that failed.

    Attributes:
        why: The error.
        attempts: Number of attempts that failed.
        due: Time of the next attempt in seconds since the epoch; None to give up.
    """

    why: str
    attempts: int
    due: float | None


@dataclass(eq=False)
class LeasedWorker(ABC, Generic[Piece]):
    """Base class of background workers that use models, with one task per tenant.

    Args:
        complain: Called with a sentence for each failed piece.
    """

    purpose: ClassVar[Purpose]
    """Purpose for which a tenant chooses the model."""
    doing: ClassVar[str]
    """The work in one word, for log messages. Example: `asking`."""
    patience: ClassVar[int] = ATTEMPTS_MAX
    """Number of failures after which a piece with an unusable answer is given up."""
    attempts_max: ClassVar[int] = ATTEMPTS_MAX
    """Number of failures after which a piece that failed otherwise is given up."""

    memories: Memories
    _: KW_ONLY
    now: Callable[[], float]
    complain: Callable[[str], None] = lambda message: None
    _busy: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    # Pieces that somebody asked for by hand, beside the tenant's one task.
    _apart: set[asyncio.Task[BaseException | None]] = field(
        default_factory=set, init=False
    )
    _pauses: ModelPauses = field(init=False)
    _stopping: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._pauses = ModelPauses(self.now)

    # Hooks of subclasses

    @abstractmethod
    async def _due(self) -> list[str]:
        """Return the tenants that have a model and work to do."""

    @abstractmethod
    async def _lease(self, tenant: str) -> Piece | None:
        """Lease the next piece and return it; None if there is none."""

    @abstractmethod
    async def _extend(self, tenant: str, piece: Piece) -> bool:
        """Extend a lease; return False if it is lost."""

    @abstractmethod
    async def _do(self, memory: TenantMemory, piece: Piece) -> None:
        """Do the piece, and write that it is done."""

    @abstractmethod
    async def _give_back(
        self, memory: TenantMemory, piece: Piece, setback: RetryState | None
    ) -> None:
        """Release a lease; without a setback the piece stays unchanged."""

    @abstractmethod
    def _failure_clause(self, piece: Piece) -> str:
        """Return what failed, as a clause for log messages."""

    # Scheduling and error handling

    async def look(self) -> None:
        """Start tasks for tenants that have work and an available model."""
        await each_served(
            self.memories,
            await self._due(),
            self._start,
            complain=self.complain,
            lament=f"{self.doing} pauses",
        )

    async def _start(self, tenant: str) -> None:
        """Start the task of a tenant, unless there is one or its model pauses."""
        if self._stopping or tenant in self._busy:
            return
        memory = await self.memories.get(tenant)
        if self.resting(memory):
            return
        name = f"{self.doing} for {tenant}"
        task = asyncio.create_task(self._do_all(memory), name=name)
        self._busy[tenant] = task
        task.add_done_callback(partial(self._done, tenant))

    def resting(self, memory: TenantMemory) -> str:
        """Return why no model is asked at the moment; empty if one is."""
        model_id = self._model_id(memory)
        if not model_id:
            return unchosen(self.purpose)
        return self._pauses.why(memory.tenant, model_id)

    async def finished(self) -> None:
        """Wait for all work that this process started."""
        await asyncio.gather(*self._tasks(), return_exceptions=True)

    async def stop(self) -> None:
        """Cancel the work in progress; it is done again after its lease expires."""
        self._stopping = True
        await cancel_all(self._tasks())

    def _begin(
        self, memory: TenantMemory, piece: Piece
    ) -> asyncio.Task[BaseException | None]:
        """Do a leased piece in a task of its own, which outlives its caller."""
        task = asyncio.create_task(self._attend(memory, piece))
        self._apart.add(task)

        def ended(task: asyncio.Task[BaseException | None]) -> None:
            """Log the error of a task that ended with one."""
            self._apart.discard(task)
            if not task.cancelled() and (error := task.exception()):
                # Whoever began it may have stopped waiting: nobody else would see the error.
                self.complain(f"tenant {memory.tenant}: {self.doing} ends: {error!r}")

        task.add_done_callback(ended)
        return task

    def _tasks(self) -> list[asyncio.Task[Any]]:
        return [*self._busy.values(), *self._apart]

    def _model_id(self, memory: TenantMemory) -> int:
        """Return the number of the chosen model; 0 for none."""
        number: int = getattr(memory.preferences, CHOOSING[self.purpose])
        return number

    def _done(self, tenant: str, task: asyncio.Task[None]) -> None:
        del self._busy[tenant]
        if not task.cancelled() and (error := task.exception()):
            # Any exception that reaches the task is a defect: a person must see it.
            self.complain(f"tenant {tenant}: {self.doing} ended: {error!r}")

    async def _do_all(self, memory: TenantMemory) -> None:
        """Do one piece after the other, as long as the model is available."""
        try:
            while not (self._stopping or self.resting(memory)):
                piece = await self._lease(memory.tenant)
                if piece is None:
                    return
                await self._attend(memory, piece)
        except (DatabaseUnavailable, Overloaded) as error:
            # The lease expires, and a later call of `look` tries again.
            self.complain(f"tenant {memory.tenant}: {self.doing} pauses: {error}")

    async def _attend(self, memory: TenantMemory, piece: Piece) -> BaseException | None:
        """Do a piece as long as the lease is held; return the error, if any."""
        work = asyncio.create_task(self._do(memory, piece))
        extend = partial(self._extend, memory.tenant, piece)
        # Cancels the work if the lease is lost, since another process has the piece then.
        if not await worked(work, extend, LEASE_SECONDS):
            return None
        error = work.exception()
        if error is not None:
            await self._judge(memory, piece, error)
        return error

    async def _judge(
        self, memory: TenantMemory, piece: Piece, error: BaseException
    ) -> None:
        """Handle the error of a piece: report it, pause the model, plan a retry."""
        # Not the piece's fault: whoever began it pauses.
        if isinstance(error, DatabaseUnavailable | Overloaded):
            raise error
        why = failure_text(error)[:ERROR_CHARACTERS_MAX]
        self.complain(f"tenant {memory.tenant}: {self._failure_clause(piece)}: {why}")
        # A bad answer means that the model works; anything else means that it does not.
        unanswered = isinstance(error, ModelError) and not isinstance(error, BadAnswer)
        if unanswered or isinstance(error, KeyUnreadable):
            self._pauses.begin(memory.tenant, self._model_id(memory), why)
        await self._give_back(memory, piece, self._setback(piece, error, why))

    def _setback(
        self, piece: Piece, error: BaseException, why: str
    ) -> RetryState | None:
        """Return the retry state of a piece; None if the failure is unrelated to it."""
        # The setting was changed while the model was asked.
        if isinstance(error, NoModel):
            return None
        failed = self._attempts(piece)
        # Quotas are no fault of the piece: the attempt does not count.
        if isinstance(error, ModelExhausted):
            return RetryState(why, failed, self.now() + PAUSE_SECONDS)
        failed += 1
        # Bad answers have a limit of their own: asking the same again rarely helps.
        enough = self.patience if isinstance(error, BadAnswer) else self.attempts_max
        due = None if failed >= enough else self.now() + backoff(failed)
        return RetryState(why, failed, due)

    @abstractmethod
    def _attempts(self, piece: Piece) -> int:
        """Return the number of failed attempts of a piece."""
