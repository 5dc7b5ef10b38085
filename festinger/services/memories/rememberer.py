"""Has models read what conversations are worth remembering for, once they are over.

Nothing that answers a prompt waits for any of it. An interaction that is marked for it
and to which nobody added anything for ten minutes is closed; what its subject said is
summarised, and kept; from that a model extracts; and what is grounded in both becomes
memories, candidates or rejections. No relation is stated to the graph: what a model read
in a conversation is advice about a person, and no fact (E1).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from festinger.config import Trust
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
from festinger.core.review.conversation import ExtractionCase, InteractionReading
from festinger.core.system.models import CHOOSING, Purpose
from festinger.errors import BadAnswer, NoModel, Overloaded
from festinger.llm.interface import Form, LanguageModel
from festinger.services.memories.considering import Considering
from festinger.services.memories.remembering import Remembering
from festinger.services.system import attending
from festinger.services.system.attending import LeasedWorker, Setback
from festinger.services.world.memory import Memories, TenantMemory
from festinger.store.memories.interactions import PostgresInteractions


class MemoryExtractor(LeasedWorker[Interaction]):
    """Has models read memories out of conversations.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each answer that did not come.

    Attributes:
        policy: How it is decided what becomes of what a model extracted; another one
            counts from the next conversation on.
    """

    purpose = Purpose.EXTRACT
    doing = "extracting"
    # The model was told already what is wrong with its answer.
    patience = 1

    def __init__(
        self,
        memories: Memories,
        models: LanguageModel,
        interactions: PostgresInteractions,
        considering: Considering,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
        policy: MemoryPolicy = POLICY,
    ) -> None:
        super().__init__(memories, now=now, complain=complain)
        self.interactions = interactions
        self.policy = policy
        self._models = models
        self._considering = considering

    async def extract(
        self, tenant: str, interaction_id: int, seconds_max: float
    ) -> Interaction:
        """Extracts an interaction now, whatever became of it before.

        Returns:
            The interaction as it is when that is done, or when the time is up: then the
            work goes on.

        Raises:
            NoModel: None is chosen.
            InteractionNotFound: There is none.
            SourceGone: It was forgotten.
            Overloaded: Somebody else extracts it, or the server stops.
            ModelError: The model gave no answer that can be used.
        """
        memory = await self._memories.get(tenant)
        if not self._model_id(memory):
            raise NoModel(
                f"{CHOOSING[self.purpose]}: {self.resting(memory)}",
                key=CHOOSING[self.purpose],
            )
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        self._rests.pop(tenant, None)
        interaction = await self.interactions.lease_one(
            tenant, interaction_id, self._now(), attending.LEASE_SECONDS
        )
        task = self._begin(memory, interaction)
        done, _ = await asyncio.wait([task], timeout=seconds_max)
        if task.cancelled():
            raise Overloaded("the server is stopping; try again in a moment")
        if done and (error := task.result()):
            raise error
        return await self.interactions.get(tenant, interaction_id)

    async def _due(self) -> list[str]:
        return await self.interactions.extracting(self._now())

    async def _lease(self, tenant: str) -> Interaction | None:
        return await self.interactions.lease(
            tenant, self._now(), attending.LEASE_SECONDS
        )

    async def _extend(self, tenant: str, interaction: Interaction) -> bool:
        return await self.interactions.extend(
            tenant, interaction, attending.LEASE_SECONDS
        )

    async def _do(self, memory: TenantMemory, interaction: Interaction) -> None:
        """Summarises, extracts, decides, and writes what came of it."""
        if memory.trust[Role.USER] is Trust.NOTHING:
            # What people write teaches nothing here: nobody is asked about it.
            interaction = replace(interaction, turns=(), summary="")
        summary = interaction.summary
        if not summary and interaction.spoken:
            summary = await self._summarise(memory, interaction)
            if not await self.interactions.summarise(
                memory.tenant, interaction, summary
            ):
                return
        extractions: Sequence[MemoryExtraction] = ()
        if asked := question(summary):
            answer = await self._ask(memory, SYSTEM, asked, Extractions)
            extractions = read(answer)
        reading = await self._consider(memory, interaction, extractions, summary)
        await memory.writer.submit(
            Remembering(
                memory.tenant,
                interaction,
                reading,
                principal=self._proposer(memory),
            )
        )

    async def _summarise(self, memory: TenantMemory, interaction: Interaction) -> str:
        """What the subject said, in short; their own words if these are few."""
        spoken = interaction.spoken
        own = own_summary(spoken)
        if own is not None:
            return own
        answer = await self._ask(memory, SUMMARISE, summary_question(spoken), Summary)
        return shown(answer.summary.replace("\0", ""))

    async def _ask(
        self, memory: TenantMemory, system: str, prompt: str, form: type[Form]
    ) -> Form:
        return await self._models.ask(
            memory.tenant, self.purpose, system=system, prompt=prompt, form=form
        )

    async def _consider(
        self,
        memory: TenantMemory,
        interaction: Interaction,
        extractions: Sequence[MemoryExtraction],
        summary: str,
    ) -> InteractionReading:
        """What is to become of what the model extracted.

        Raises:
            BadAnswer: It takes too long to say.
        """
        async with memory.store.reading(memory.tenant) as reads:
            known = await reads.memories_known(interaction.subject)
        reading = await self._considering.consider(
            ExtractionCase(
                interaction,
                extractions,
                summary,
                known,
                proposer=self._proposer(memory),
                asserts=memory.trust[Role.USER] is Trust.ASSERTS,
                policy=self.policy,
            )
        )
        if reading is None:
            raise BadAnswer(
                "to hold what the model extracted against the conversation takes too long"
            )
        return reading

    def _proposer(self, memory: TenantMemory) -> str:
        return f"model:{self._model_id(memory)}"

    async def _give_back(
        self, memory: TenantMemory, interaction: Interaction, setback: Setback | None
    ) -> None:
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

    def _lament(self, interaction: Interaction) -> str:
        return f"nothing is remembered of {interaction.name}"
