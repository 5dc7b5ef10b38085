"""Ask a cheap model what ambiguous sentences state, and people to confirm it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from festinger.core.language.grounding import THRESHOLDS, Thresholds
from festinger.core.system.models import Purpose, usage_day
from festinger.core.validation.dreaming import AskedModel, prompt_hash
from festinger.core.validation.guesses import (
    SYSTEM,
    AmbiguousSentence,
    GuessAnswer,
    question,
    weigh,
)
from festinger.llm.interface import LanguageModel
from festinger.services.system.leased_worker import LeasedWorker, RetryState
from festinger.services.world.jobs import Assertion
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.models import PostgresModels


@dataclass(eq=False)
class Guesser(LeasedWorker[AmbiguousSentence]):
    """Leased worker that has a model guess what sentences state.

    Args:
        complain: Called with a sentence for each failed guess.

    Attributes:
        thresholds: Thresholds of the support that a sentence gives to a guess; new ones
            apply from the next answer on.
    """

    purpose = Purpose.GUESS
    doing = "guessing"
    # A guess is not worth a retry.
    patience = attempts_max = 1

    models: LanguageModel
    kept: PostgresModels
    thresholds: Thresholds = field(default=THRESHOLDS, kw_only=True)

    async def look(self) -> None:
        """Queue ambiguous sentences of recent turns, and start guessing."""
        for memory in self.memories.loaded:
            # What was queued before the model was switched off is not asked about later.
            if not self._model_id(memory):
                memory.guesses.clear()
                continue
            while memory.guesses.has_turns:
                memory.guesses.search_turn(memory.world, memory.registry)
                await asyncio.sleep(0)  # lets prompts be answered in between
        await super().look()

    async def _due(self) -> list[str]:
        # Queues are in memory only: a sentence that is repeated is queued again.
        return [
            memory.tenant
            for memory in self.memories.loaded
            if memory.guesses.waiting and self._model_id(memory)
        ]

    async def _lease(self, tenant: str) -> AmbiguousSentence | None:
        """Return the next sentence; None if there is none or today's limit is hit."""
        memory = await self.memories.get(tenant)
        # The daily limit is counted in the database: it holds for all servers together.
        asked = await self.kept.asked(tenant, Purpose.GUESS, usage_day(self.now()))
        if asked >= memory.preferences.guess_sentences_max:
            return None
        return memory.guesses.next()

    async def _extend(self, tenant: str, piece: AmbiguousSentence) -> bool:
        return True  # no other process has this queue

    async def _do(self, memory: TenantMemory, piece: AmbiguousSentence) -> None:
        """Ask the model, and propose its guesses as candidates."""
        prompt = question(piece, memory.registry)
        model_id = self._model_id(memory)
        answer = await self.models.ask(
            memory.tenant, Purpose.GUESS, system=SYSTEM, prompt=prompt, form=GuessAnswer
        )
        asked = AskedModel(
            f"model:{model_id}",
            await self.kept.named(memory.tenant, model_id),
            prompt_hash(SYSTEM, prompt),
        )
        for proposal in weigh(
            answer, piece, memory.registry, asked, thresholds=self.thresholds
        ):
            # As candidates: what `weigh` proposes never asserts, so that people decide.
            await memory.writer.submit(Assertion(proposal, None))

    async def _give_back(
        self, memory: TenantMemory, piece: AmbiguousSentence, setback: RetryState | None
    ) -> None:
        # Retry after failures that are unrelated to the sentence; drop it otherwise.
        if setback is None or setback.due is not None:
            memory.guesses.put_back(piece)

    def _attempts(self, piece: AmbiguousSentence) -> int:
        # Not counted: with `patience = 1`, the first failure is the last.
        return 0

    def _failure_clause(self, piece: AmbiguousSentence) -> str:
        return "nobody guesses what a sentence states"
