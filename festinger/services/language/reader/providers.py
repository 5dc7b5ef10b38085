"""Has a model that an operator chose by its number read what people said.

It is nobody's loaded model, so nothing waits for a pause; the budget of an hour holds.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from pydantic import BaseModel

from festinger.config import LearningSettings
from festinger.core.language.reader.pace import TokenBudget
from festinger.core.language.reader.questions import SYSTEM, TOKENS_MIN, estimate_tokens
from festinger.core.system.models import Model, Purpose
from festinger.errors import (
    BadAnswer,
    DatabaseUnavailable,
    FestingerError,
    LeaseLost,
    Overloaded,
)
from festinger.services.language.reader.models import NamedModels
from festinger.services.language.reader.turns import LeasedTurns, TurnReading
from festinger.services.world.memory import Memories, TenantMemory
from festinger.store.system.models import PostgresModels

PROMPT_TOKENS_MAX = 6_000
"""Tokens of one prompt, at most."""
REST_SECONDS = 300.0
"""How long a model that gives no answer is left alone."""


class AnsweredItem(BaseModel):
    """A statement as a provider's model is asked for it."""

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
    """The form of an answer, for providers that take a schema of their own making."""

    statements: list[AnsweredItem]


class ProviderReader:
    """Reads in all memories, one batch after the other.

    Args:
        reading: Lends turns and takes answers.
        models: Where the models are.
        now: Gives the time in seconds since the epoch.
        complain: Gets a sentence for each answer that did not come.
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
        self._rests: dict[str, float] = {}
        self._budgets: defaultdict[str, TokenBudget] = defaultdict(TokenBudget)
        self._task: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Begin to read what waits; forget it where nobody is to read it.

        Raises:
            DatabaseUnavailable: Nobody can say what waits.
        """
        for tenant in await self._reading.unread.tenants():
            memory = await self._memories.get(tenant)
            if not memory.is_read:
                # Whoever switches reading off wants nothing kept for it.
                await self._reading.unread.clear(tenant)
            elif self.settings.model_id and not self._is_busy:
                name = f"reading for {tenant}"
                self._task = asyncio.create_task(self._read_all(memory), name=name)

    async def finished(self) -> None:
        """Wait until all is read that this process began."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def stop(self) -> None:
        """Leave what is being read: whoever looks next reads it."""
        if self._task is not None:
            self._task.cancel()
            await self.finished()

    @property
    def _is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    async def _read_all(self, memory: TenantMemory) -> None:
        """Read one batch after the other, as long as there are answers."""
        tenant, budget = memory.tenant, self._budgets[memory.tenant]
        while self._now() >= self._rests.get(tenant, 0.0):
            left = budget.left(self.settings.tokens_per_hour, self._now())
            room = min(PROMPT_TOKENS_MAX, left)
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
        """Read a batch; return how many tokens that took, estimated."""
        request = leased.request
        returned = False
        try:
            model = await self._model(memory.tenant)
            answer = await self._asker.ask_model(
                memory.tenant,
                model,
                Purpose.READ,
                system=SYSTEM,
                prompt=request.prompt,
                form=AnsweredBatch,
            )
            text = answer.model_dump_json()
            tokens = request.tokens + estimate_tokens(text)
            returned = True
            with suppress(LeaseLost, BadAnswer):
                await self._reading.submit(memory, leased.lease, text, tokens)
            return tokens
        except BadAnswer as error:
            returned = True
            await self._reading.fail(memory, leased.lease, error.message)
            return request.tokens
        except (DatabaseUnavailable, Overloaded):
            raise
        except FestingerError as error:
            # The model's business, and none of the turns'.
            self._rests[memory.tenant] = self._now() + REST_SECONDS
            self._reading.statistics(memory.tenant).problem = error.message
            self._complain(f"tenant {memory.tenant}: nothing is read: {error}")
            return 0
        finally:
            if not returned:
                with suppress(DatabaseUnavailable, Overloaded):
                    await self._reading.release(memory, leased.lease)

    async def _model(self, tenant: str) -> Model:
        """Return the chosen model. Raise `ModelNotFound` if there is none of its number."""
        today = datetime.fromtimestamp(self._now(), UTC).date()
        return await self._models.model(tenant, self.settings.model_id, today)
