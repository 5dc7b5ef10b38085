"""Read what people said with a provider's model that an operator chose."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import BaseModel

from festinger.config import LearningSettings
from festinger.core.language.reader.pace import TokenBudget
from festinger.core.language.reader.questions import SYSTEM, TOKENS_MIN, estimate_tokens
from festinger.core.system.models import Purpose, usage_day
from festinger.errors import (
    BadAnswer,
    DatabaseUnavailable,
    FestingerError,
    LeaseLost,
    Overloaded,
)
from festinger.services.language.reader.models import NamedModels
from festinger.services.language.reader.turns import LeasedTurns, TurnReading
from festinger.services.system.leased_worker import ModelPauses
from festinger.services.system.leases import each_served
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory

if TYPE_CHECKING:
    from festinger.store.system.models import PostgresModels

# More than a loaded model gets: a provider's answer delays nobody's prompt.
PROMPT_TOKENS_MAX = 6_000
"""Maximum number of tokens of one prompt."""


class AnsweredItem(BaseModel):
    """A statement in the form in which a provider's model is asked for it."""

    turn: int
    quote: str
    subject: str
    predicate: str
    value: str
    kind: str
    single: bool
    negated: bool
    replaces: int | None
    topics: list[str]


class AnsweredBatch(BaseModel):
    """Form of an answer, for providers that accept a JSON schema."""

    statements: list[AnsweredItem]


class ProviderReader:
    """Reader of unread turns in all memories, one batch at a time.

    Args:
        now: Returns the time in seconds since the epoch.
        complain: Called with a sentence for each failed answer.
    """

    def __init__(
        self,
        memories: Memories,
        reading: TurnReading,
        models: PostgresModels,
        asker: NamedModels,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.settings = LearningSettings()
        self._memories = memories
        self._reading = reading
        self._models = models
        self._asker = asker
        self._now = now
        self._complain = complain
        self._pauses = ModelPauses(now)
        # In memory only: a restart begins a new hour.
        self._budgets: defaultdict[str, TokenBudget] = defaultdict(TokenBudget)
        self._task: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Start reading unread turns; delete them where reading is switched off.

        Raises:
            DatabaseUnavailable: The unread turns cannot be read now.
        """
        await each_served(
            self._memories,
            await self._reading.unread.tenants(),
            self._start,
            complain=self._complain,
            lament="nothing is read",
        )

    async def _start(self, tenant: str) -> None:
        """Start reading the turns of a tenant, or delete them."""
        memory = await self._memories.get(tenant)
        if not memory.is_read:
            # While reading is switched off, no text may be stored for it.
            await self._reading.unread.clear(tenant)
        # One batch at a time over all memories, so that nobody's budget is spent at once.
        elif self.settings.model_id and not self._is_busy:
            name = f"reading for {tenant}"
            self._task = asyncio.create_task(self._read_all(memory), name=name)

    async def finished(self) -> None:
        """Wait for the task that this process started."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def stop(self) -> None:
        """Cancel the reading in progress; its turns are read later."""
        if self._task is not None:
            self._task.cancel()
            await self.finished()

    @property
    def _is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    async def _read_all(self, memory: TenantMemory) -> None:
        """Read batches one by one, within the budget, while the model answers."""
        tenant, budget = memory.tenant, self._budgets[memory.tenant]
        while not self._pauses.why(tenant, self.settings.model_id):
            left = budget.left(self.settings.tokens_per_hour, self._now())
            room = min(PROMPT_TOKENS_MAX, left)
            # The request would be longer than what is left of this hour.
            if room < TOKENS_MIN:
                return
            try:
                leased = await self._reading.lease(memory, room)
                if leased is None:
                    return
                budget.spend(await self._read(memory, leased), self._now())
            except (DatabaseUnavailable, Overloaded) as error:
                self._complain(f"tenant {tenant}: reading pauses: {error}")
                return

    async def _read(self, memory: TenantMemory, leased: LeasedTurns) -> int:
        """Read a batch and return the estimated number of tokens used."""
        request = leased.request
        # Whatever happens, the turns are given back: read, failed, or unread.
        returned = False
        model_id = self.settings.model_id
        try:
            # The number may name no model, which is told like a failure of one.
            model = await self._models.model(
                memory.tenant, model_id, usage_day(self._now())
            )
            answer = await self._asker.ask_model(
                memory.tenant,
                model,
                Purpose.READ,
                system=SYSTEM,
                prompt=request.prompt,
                form=AnsweredBatch,
            )
            text = answer.model_dump_json()
            # Estimated, since the budget must hold for providers that do not count.
            tokens = request.tokens + estimate_tokens(text)
            returned = True
            with suppress(LeaseLost, BadAnswer):
                await self._reading.submit(memory, leased.lease, text, tokens)
            return tokens
        except BadAnswer as error:
            # `fail` gives the turns back, too.
            returned = True
            await self._reading.fail(memory, leased.lease, error.message)
            return request.tokens
        except (DatabaseUnavailable, Overloaded):
            raise
        except FestingerError as error:
            # The failure is the model's and does not count against the turns.
            self._pauses.begin(memory.tenant, model_id, error.message)
            self._reading.statistics(memory.tenant).problem = error.message
            self._complain(f"tenant {memory.tenant}: nothing is read: {error}")
            return 0
        finally:
            # Cancelled, or the model is away: they can be leased again at once.
            if not returned:
                with suppress(DatabaseUnavailable, Overloaded):
                    await self._reading.release(memory, leased.lease)
