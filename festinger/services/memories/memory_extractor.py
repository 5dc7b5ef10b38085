"""Extract memories from finished conversations with models."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from festinger.config import RoleTrust
from festinger.core.language.turns import Role
from festinger.core.memories.interaction import Interaction
from festinger.core.memories.memory import MemoryExtraction
from festinger.core.memories.policy import POLICY, MemoryPolicy
from festinger.core.memories.prompt import (
    SUMMARISE,
    SYSTEM,
    Extractions,
    Summary,
    own_summary,
    question,
    read,
    shown,
    summary_question,
)
from festinger.core.review.conversation import (
    ExtractionCase,
    InteractionReading,
    findings,
    rejections,
)
from festinger.core.review.records import Key
from festinger.core.system.models import CHOOSING, Purpose
from festinger.core.world.draft import Draft
from festinger.errors import BadAnswer, NoModel, Overloaded
from festinger.llm.interface import Form, LanguageModel
from festinger.services.review.offers import OfferRecords
from festinger.services.system.leased_worker import LeasedWorker, RetryState
from festinger.services.system.leases import LEASE_SECONDS
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.memories.interactions import (
    InteractionWrites,
    PostgresInteractions,
)
from festinger.store.memories.records import CompletedExtraction
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads


class OfferMemories(OfferRecords):
    """Job that offers extractions, logs rejections, and ends the interaction."""

    def __init__(
        self,
        tenant: str,
        interaction: Interaction,
        reading: InteractionReading,
        *,
        principal: str,
    ) -> None:
        # What the model found, and what rules found in the same words.
        self._made = [*filter(None, reading.offers), *reading.rule_offers]
        super().__init__(self._made, principal=principal)
        self._tenant = tenant
        self._interaction = interaction
        self._reading = reading
        self._leased = False

    async def load(self, reads: PostgresReads) -> None:
        """Check that the lease is still held, and read what is known."""
        lease = self._interaction.lease
        assert lease is not None, "who extracts has the lease"
        # The interaction may have been forgotten, or extracted by another process.
        self._leased = await reads.is_extracting(self._interaction.id, lease)
        await super().load(reads)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write what is new, and the outcome of each extraction."""
        lease = self._interaction.lease
        if not self._leased or lease is None:
            return
        # All in one transaction: an interaction is never extracted half.
        super().decide(draft, batch)
        numbers = self._numbers()
        known = frozenset(self.offered.again)
        found = findings(self._reading, [numbers[it.key] for it in self._made], known)
        batch.of(InteractionWrites).remembered.append(
            CompletedExtraction(
                self._interaction.id,
                lease,
                found,
                len(set(numbers.values())),
                self._reading.log,
                rejections(
                    self._reading, self._interaction, tenant=self._tenant, now=draft.now
                ),
            )
        )

    def _numbers(self) -> dict[Key, int]:
        """Return the record of each offer, whether new or known."""
        written = (*self.offered.written, *self.offered.overflow)
        known = {key: record.id for key, record in self._known.items()}
        return known | {record.key: record.id for record in written}


class ExtractionChecker(Protocol):
    """Check of what models extracted, outside of the event loop."""

    async def consider(self, case: ExtractionCase) -> InteractionReading | None:
        """Return a reading with the outcome of each extraction; None on timeout."""


@dataclass(eq=False)
class MemoryExtractor(LeasedWorker[Interaction]):
    """Leased worker that has models extract memories from conversations.

    Args:
        complain: Called with a sentence for each failed extraction.

    Attributes:
        policy: Policy that decides the outcome of extractions; a new value applies from
            the next conversation on.
    """

    purpose = Purpose.EXTRACT
    doing = "extracting"
    # `ask` has already told the model what is wrong with its answer.
    patience = 1

    models: LanguageModel
    interactions: PostgresInteractions
    considering: ExtractionChecker
    policy: MemoryPolicy = field(default=POLICY, kw_only=True)

    async def extract(
        self, tenant: str, interaction_id: int, seconds_max: float
    ) -> Interaction:
        """Extract an interaction now, regardless of earlier failures.

        Returns:
            The interaction when that is done or the time is up; then the work goes on.

        Raises:
            NoModel: No model is configured.
            InteractionNotFound: There is no such interaction.
            SourceGone: The interaction was forgotten.
            Overloaded: Another process extracts it, or the server is stopping.
            ModelError: The model gave no usable answer.
        """
        memory = await self.memories.get(tenant)
        # Here, not only in the task: who asks by hand is told what is missing.
        if not self._model_id(memory):
            raise NoModel(
                f"{CHOOSING[self.purpose]}: {self.resting(memory)}",
                key=CHOOSING[self.purpose],
            )
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        self._pauses.end(tenant)
        interaction = await self.interactions.lease_one(
            tenant, interaction_id, self.now(), LEASE_SECONDS
        )
        # A task of its own: it goes on if the caller does not wait that long.
        task = self._begin(memory, interaction)
        done, _ = await asyncio.wait([task], timeout=seconds_max)
        # Before `result`, which would raise the cancellation in the caller.
        if task.cancelled():
            raise Overloaded("the server is stopping; try again in a moment")
        if done and (error := task.result()):
            raise error
        return await self.interactions.get(tenant, interaction_id)

    async def _due(self) -> list[str]:
        return await self.interactions.extracting(self.now())

    async def _lease(self, tenant: str) -> Interaction | None:
        return await self.interactions.lease(tenant, self.now(), LEASE_SECONDS)

    async def _extend(self, tenant: str, interaction: Interaction) -> bool:
        return await self.interactions.extend(tenant, interaction, LEASE_SECONDS)

    async def _do(self, memory: TenantMemory, interaction: Interaction) -> None:
        """Summarise the conversation, extract from it, decide, and store the result."""
        if memory.trust[Role.USER] is RoleTrust.NOTHING:
            # Users are not trusted here, so nothing they wrote is read.
            interaction = replace(interaction, turns=(), summary="")
        # A summary of an earlier attempt is stored, so that a retry costs one question only.
        summary = interaction.summary
        if not summary and interaction.spoken:
            summary = await self._summarise(memory, interaction)
            # The lease is lost: another process extracts.
            if not await self.interactions.summarise(
                memory.tenant, interaction, summary
            ):
                return
        extractions: Sequence[MemoryExtraction] = ()
        # An empty summary: nothing was said that a model could read.
        if asked := question(summary):
            answer = await self._ask(memory, SYSTEM, asked, Extractions)
            extractions = read(answer)
        reading = await self._consider(memory, interaction, extractions, summary)
        # No relation is stated to the graph: this is advice about a person, no fact (E1).
        await memory.writer.submit(
            OfferMemories(
                memory.tenant, interaction, reading, principal=self._proposer(memory)
            )
        )

    async def _summarise(self, memory: TenantMemory, interaction: Interaction) -> str:
        """Return a summary of the subject's words, or the words if they are few."""
        spoken = interaction.spoken
        # Few words need no summary, and no question.
        own = own_summary(spoken)
        if own is not None:
            return own
        answer = await self._ask(memory, SUMMARISE, summary_question(spoken), Summary)
        # Postgres stores no NUL.
        return shown(answer.summary.replace("\0", ""))

    async def _ask(
        self, memory: TenantMemory, system: str, prompt: str, form: type[Form]
    ) -> Form:
        return await self.models.ask(
            memory.tenant, self.purpose, system=system, prompt=prompt, form=form
        )

    async def _consider(
        self,
        memory: TenantMemory,
        interaction: Interaction,
        extractions: Sequence[MemoryExtraction],
        summary: str,
    ) -> InteractionReading:
        """Return the outcome of each extraction.

        Raises:
            BadAnswer: The check timed out.
        """
        async with memory.store.reading(memory.tenant) as reads:
            # What is known already adds up (G2) instead of being a second memory.
            known = await reads.memories_known(interaction.subject)
        reading = await self.considering.consider(
            ExtractionCase(
                interaction,
                extractions,
                summary,
                known,
                proposer=self._proposer(memory),
                # Where users only propose, their memories wait for people.
                asserts=memory.trust[Role.USER] is RoleTrust.ASSERTS,
                policy=self.policy,
            )
        )
        # Counts as an unusable answer: the same conversation would take as long again.
        if reading is None:
            raise BadAnswer(
                "to hold what the model extracted against the conversation takes too long"
            )
        return reading

    def _proposer(self, memory: TenantMemory) -> str:
        return f"model:{self._model_id(memory)}"

    async def _give_back(
        self, memory: TenantMemory, interaction: Interaction, setback: RetryState | None
    ) -> None:
        # Without a setback the attempt does not count, as when no model is chosen.
        if setback:
            interaction = replace(
                interaction,
                attempts=setback.attempts,
                last_error=setback.why,
                due=setback.due,
            )
        await self.interactions.postpone(memory.tenant, interaction)

    def _attempts(self, interaction: Interaction) -> int:
        return interaction.attempts

    def _failure_clause(self, interaction: Interaction) -> str:
        return f"nothing is remembered of {interaction.name}"
