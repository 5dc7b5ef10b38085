"""Asks models what unknown concepts are: queued when they are met often, asked one by one.

Nothing that answers a prompt waits for any of it. What was read is looked through
afterwards; what is wanted to be known is a row before anybody is asked; and the answer
comes to the gate like every other statement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from festinger.core.curiosity import Wanted
from festinger.core.definition import SYSTEM, Weighed, form, question, weigh
from festinger.core.inquiry import ATTEMPTS_MAX, Inquiry, InquiryState, backoff
from festinger.core.models import Purpose, unchosen
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
from festinger.flows.inquiry_ports import Inquiries
from festinger.flows.learning import Learning
from festinger.flows.leases import worked
from festinger.flows.memory import Memories, Memory
from festinger.flows.model_ports import LanguageModel

LEASE_SECONDS = 30.0
"""How long a process may be silent before another asks in its place."""
REST_SECONDS = 300.0
"""How long a model that gives no answer to anything is left alone."""
ERROR_CHARACTERS_MAX = 500


@dataclass(frozen=True, slots=True)
class Rest:
    """A model that is left alone.

    Attributes:
        until: Seconds since the epoch.
    """

    model_id: int
    until: float
    why: str


class Inquirer:
    """Has models say what concepts are.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each answer that did not come.
    """

    def __init__(
        self,
        memories: Memories,
        models: LanguageModel,
        inquiries: Inquiries,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.inquiries = inquiries
        self._memories = memories
        self._models = models
        self._now = now
        self._complain = complain
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._rests: dict[str, Rest] = {}
        self._stopping = False

    async def listen(self) -> None:
        """Looks through what was read lately, and queues what is wanted to be known.

        Raises:
            DatabaseUnavailable: It is queued at its next encounter.
        """
        for memory in self._memories.opened():
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

    async def look(self) -> None:
        """Begins to ask where there is something to ask, and a model that answers.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        for tenant in await self.inquiries.inquiring(self._now()):
            if self._stopping or tenant in self._asking:
                continue
            memory = await self._memories.get(tenant)
            if self.resting(memory):
                continue
            task = asyncio.create_task(self._ask_all(memory), name=f"ask for {tenant}")
            self._asking[tenant] = task
            task.add_done_callback(partial(self._asked, tenant))

    def resting(self, memory: Memory) -> str:
        """Why nobody is asked at the moment; empty if somebody is."""
        model_id = memory.preferences.write_model_id
        if not model_id:
            return unchosen(Purpose.WRITE)
        rest = self._rests.get(memory.tenant)
        if rest and rest.model_id == model_id and self._now() < rest.until:
            return rest.why
        return ""

    async def retry(self, tenant: str, concept: str) -> Inquiry:
        """Has a model asked as soon as possible, as if it had never failed.

        Raises:
            InquiryNotFound: It waits for no answer.
            DatabaseUnavailable: Nobody can say.
        """
        inquiry = await self.inquiries.retry(tenant, concept, self._now())
        self._rests.pop(tenant, None)
        return inquiry

    async def finished(self) -> None:
        """Waits until all is asked that this process began to ask."""
        await asyncio.gather(*self._asking.values(), return_exceptions=True)

    async def stop(self) -> None:
        """Leaves what is being asked: whoever looks next asks again."""
        self._stopping = True
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _asked(self, tenant: str, task: asyncio.Task[None]) -> None:
        del self._asking[tenant]
        if not task.cancelled() and (error := task.exception()):
            # What is no error of ours is a defect: a person must see it.
            self._complain(f"tenant {tenant}: asking ended: {error!r}")

    async def _queue(self, memory: Memory, wanted: list[Wanted]) -> None:
        unsaved = set(memory.world.unsaved.values())
        if any(each.token in unsaved for each in wanted):
            await memory.writer.flush()
        counts = await self.inquiries.queue(memory.tenant, wanted, self._now())
        for each in wanted:
            # Where it waits already, or there is no room: when it has doubled again.
            count = counts.get(each.token, each.encounters)
            done = each.encounters < 2 * count
            memory.curiosity.note(each.token, count if done else each.encounters)

    async def _ask_all(self, memory: Memory) -> None:
        """Asks about one concept after the other, as long as there are answers."""
        try:
            while not (self._stopping or self.resting(memory)):
                inquiry = await self.inquiries.lease(
                    memory.tenant, self._now(), LEASE_SECONDS
                )
                if inquiry is None:
                    return
                await self._ask(memory, inquiry)
        except (DatabaseUnavailable, Overloaded) as error:
            # The lease runs out, and whoever looks next asks again.
            self._complain(f"tenant {memory.tenant}: asking pauses: {error}")

    async def _ask(self, memory: Memory, inquiry: Inquiry) -> None:
        """Asks about a concept, as long as the lease is ours."""
        work = asyncio.create_task(self._learn(memory, inquiry))
        extend = partial(self.inquiries.extend, memory.tenant, inquiry, LEASE_SECONDS)
        if await worked(work, extend, LEASE_SECONDS):
            await self._judge(memory, inquiry, work.exception())

    async def _learn(self, memory: Memory, inquiry: Inquiry) -> None:
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
            proposer = f"model:{memory.preferences.write_model_id}"
            weighed = weigh(answer, inquiry, proposer=proposer)
        await memory.writer.submit(Learning(inquiry, weighed))

    async def _judge(
        self, memory: Memory, inquiry: Inquiry, error: BaseException | None
    ) -> None:
        """What follows from how asking ended."""
        if error is None:
            return
        if isinstance(error, DatabaseUnavailable | Overloaded):
            raise error
        why = str(error)
        if not isinstance(error, FestingerError):
            # What is no error of ours is a defect: a person must see it.
            why = f"a defect of the server: {error!r}"
        why = why[:ERROR_CHARACTERS_MAX]
        self._complain(
            f"tenant {memory.tenant}: nobody says what {inquiry.concept} is: {why}"
        )
        unanswered = isinstance(error, ModelError) and not isinstance(error, BadAnswer)
        if unanswered or isinstance(error, KeyUnreadable):
            self._rest(memory, why)
        await self.inquiries.postpone(
            memory.tenant, self._postponed(inquiry, error, why)
        )

    def _rest(self, memory: Memory, why: str) -> None:
        model_id = memory.preferences.write_model_id
        until = self._now() + REST_SECONDS
        self._rests[memory.tenant] = Rest(model_id, until, why)

    def _postponed(self, inquiry: Inquiry, error: BaseException, why: str) -> Inquiry:
        """The inquiry as it waits from now on, or is given up."""
        now = self._now()
        if isinstance(error, NoModel):
            return inquiry
        if isinstance(error, ModelExhausted):
            return replace(inquiry, last_error=why, due=now + REST_SECONDS)
        attempts = inquiry.attempts + 1
        failed = replace(inquiry, attempts=attempts, last_error=why)
        if attempts >= ATTEMPTS_MAX:
            return replace(failed, state=InquiryState.FAILED, ended=now)
        return replace(failed, due=now + backoff(attempts))
