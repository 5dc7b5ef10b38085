"""Asks models what unknown concepts are: queued when they are met often, asked one by one.

Nothing that answers a prompt waits for any of it. What was read is looked through
afterwards; what is wanted to be known is a row before anybody is asked; and the answer
comes to the gate like every other statement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from festinger.core.curiosity import Wanted
from festinger.core.definition import SYSTEM, Weighed, form, question, weigh
from festinger.core.grounding import THRESHOLDS, Thresholds
from festinger.core.inquiry import Inquiry, InquiryState
from festinger.core.models import Purpose
from festinger.flows import attending
from festinger.flows.attending import Attendant, Setback
from festinger.flows.inquiry_ports import Inquiries
from festinger.flows.learning import Learning
from festinger.flows.memory import Memories, Memory
from festinger.flows.model_ports import LanguageModel


class Inquirer(Attendant[Inquiry]):
    """Has models say what concepts are.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each answer that did not come.

    Attributes:
        thresholds: Which answers their sentences support; others count from the next
            answer on.
    """

    purpose = Purpose.WRITE
    doing = "asking"

    def __init__(
        self,
        memories: Memories,
        models: LanguageModel,
        inquiries: Inquiries,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
        thresholds: Thresholds = THRESHOLDS,
    ) -> None:
        super().__init__(memories, now=now, complain=complain)
        self.inquiries = inquiries
        self.thresholds = thresholds
        self._models = models

    async def listen(self) -> None:
        """Looks through what was read lately, and queues what is wanted to be known.

        Raises:
            DatabaseUnavailable: It is queued at its next encounter.
        """
        for memory in self._memories.opened():
            if not self._model_id(memory):
                memory.curiosity.clear()
                continue
            wanted: dict[str, Wanted] = {}
            while memory.curiosity.waiting:
                found = memory.curiosity.listen(
                    memory.world,
                    threshold=memory.preferences.saliency_write_threshold,
                    now=self._now(),
                )
                wanted |= {each.token: each for each in found}
                await asyncio.sleep(0)  # prompts are answered meanwhile
            if wanted:
                await self._queue(memory, list(wanted.values()))

    async def retry(self, tenant: str, concept: str) -> Inquiry:
        """Has a model asked as soon as possible, as if it had never failed.

        Raises:
            InquiryNotFound: It waits for no answer.
            DatabaseUnavailable: Nobody can say.
        """
        inquiry = await self.inquiries.retry(tenant, concept, self._now())
        self._rests.pop(tenant, None)
        return inquiry

    async def _queue(self, memory: Memory, wanted: list[Wanted]) -> None:
        world = memory.world
        if any(world.id(each.token) in world.unsaved for each in wanted):
            await memory.writer.flush()
        counts = await self.inquiries.queue(memory.tenant, wanted, self._now())
        for each in wanted:
            # Where it waits already, or there is no room: when it has doubled again.
            count = counts.get(each.token, each.encounters)
            done = each.encounters < 2 * count
            memory.curiosity.note(each.token, count if done else each.encounters)

    async def _due(self) -> list[str]:
        return await self.inquiries.inquiring(self._now())

    async def _lease(self, tenant: str) -> Inquiry | None:
        return await self.inquiries.lease(tenant, self._now(), attending.LEASE_SECONDS)

    async def _extend(self, tenant: str, inquiry: Inquiry) -> bool:
        return await self.inquiries.extend(tenant, inquiry, attending.LEASE_SECONDS)

    async def _do(self, memory: Memory, inquiry: Inquiry) -> None:
        """Asks, and takes the answer to the gate."""
        weighed: list[Weighed] = []
        # Somebody may have said meanwhile what it is.
        if not memory.world.is_mentioned(inquiry.concept_id):
            async with memory.store.reading(memory.tenant) as reads:
                dimensions = await reads.dimensions()
            answer = await self._models.ask(
                memory.tenant,
                Purpose.WRITE,
                system=SYSTEM,
                prompt=question(inquiry, dimensions),
                form=form(dimensions),
            )
            proposer = f"model:{self._model_id(memory)}"
            weighed = weigh(
                answer, inquiry, proposer=proposer, thresholds=self.thresholds
            )
        await memory.writer.submit(Learning(inquiry, weighed))

    async def _give_back(
        self, memory: Memory, inquiry: Inquiry, setback: Setback | None
    ) -> None:
        if setback:
            inquiry = replace(
                inquiry, attempts=setback.attempts, last_error=setback.why
            )
            if setback.due is None:
                inquiry = replace(inquiry, state=InquiryState.FAILED, ended=self._now())
            else:
                inquiry = replace(inquiry, due=setback.due)
        await self.inquiries.postpone(memory.tenant, inquiry)

    def _attempts(self, inquiry: Inquiry) -> int:
        return inquiry.attempts

    def _lament(self, inquiry: Inquiry) -> str:
        return f"nobody says what {inquiry.concept} is"
