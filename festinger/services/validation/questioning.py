"""Asks people what machines only guess.

    candidates in the pilot ─▶ who is next ─▶ worth it? ─▶ within the day's limits ─▶ questions
                                                                                       │
    bots lease them, post them, and report ◀───────────────────────────────────────────┘

Whoever looks has the lease of a memory, so that several servers make no question twice;
and each question is a row of its own, so that nothing is lost when one stops.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import itemgetter

from festinger.core.graph.candidates import Factoid, Priority
from festinger.core.system.principals import is_same, plain
from festinger.core.validation import ranking
from festinger.core.validation.audits import choose_audit
from festinger.core.validation.calibration import calibrated
from festinger.core.validation.escalation import Asking, UndecidedCase
from festinger.core.validation.limits import DailyAllowance, day_of
from festinger.core.validation.pilot import in_pilot
from festinger.core.validation.planning import Planned, Planner
from festinger.core.validation.posting import PostingReport
from festinger.core.validation.questions import Question
from festinger.core.validation.ranking import Interest
from festinger.core.validation.tones import QuestionAudience
from festinger.core.world.world import World
from festinger.errors import TenantNotFound
from festinger.services.world.memory import Memories, TenantMemory
from festinger.store.validation.questions import PostgresQuestions
from festinger.store.validation.records import LeasedQuestions, Reach

AT_ONCE = 20
"""Cases that are thought about at once: a few milliseconds."""
CASES_MAX = 1000
"""Candidates that one look considers, the most urgent first."""
LATELY_SECONDS = 7 * 86_400.0
"""For how long the same is not asked of the same again."""
LEASE_SECONDS = 60.0
"""How long whoever posts a question has for it."""
LOOK_SECONDS = 30.0
"""How long a server may be silent before another makes the questions."""
SETTLED_MAX = 100
"""Candidates among which one with a known answer is chosen."""


class Questioner:
    """Makes questions, and gives them to those who post them.

    Args:
        now: The time, in seconds since the epoch.

    Attributes:
        questions: Where they are kept.
    """

    def __init__(
        self,
        memories: Memories,
        questions: PostgresQuestions,
        *,
        now: Callable[[], float],
    ) -> None:
        self.questions = questions
        self._memories = memories
        self._now = now

    async def look(self) -> None:
        """Closes what is over, and asks whoever is next, in every memory.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        for tenant in await self.questions.tenants(self._now()):
            if not await self.questions.take_lease(tenant, LOOK_SECONDS):
                continue
            try:
                memory = await self._memories.get(tenant)
            except TenantNotFound:
                # It was taken away meanwhile.
                continue
            await self.ask(memory)

    async def ask(self, memory: TenantMemory) -> int:
        """Makes the questions that a memory has now; how many."""
        now, policy = self._now(), memory.validation.policy
        tenant, questions = memory.tenant, self.questions
        normal = policy.ttl_seconds[Priority.NORMAL]
        await questions.close_over(tenant, now, now - normal)
        cases = await questions.cases(tenant, now, now - LATELY_SECONDS, CASES_MAX)
        if not cases:
            return 0
        planner = await self._planner(memory)
        planned: list[Planned] = []
        ranked = await _ranked(memory, cases)
        for begin in range(0, len(ranked), AT_ONCE):
            planned += planner.plan(ranked[begin : begin + AT_ONCE])
            await asyncio.sleep(0)  # prompts are answered meanwhile
        planned += await self._audits(memory, planner, planned)
        return await questions.add(tenant, planned)

    async def preview(self, memory: TenantMemory, factoid: Factoid) -> Question:
        """How a candidate is asked about, and of whom: as it is, or as it would be."""
        asked = await self.questions.list(memory.tenant, factoid_id=factoid.id)
        open_ones = [it for it in asked if it.gold_answer is None and not it.outcome]
        if open_ones:
            return open_ones[0]
        planner = await self._planner(memory)
        case = await self.questions.case(memory.tenant, factoid)
        # Outside of the pilot nobody is asked, but it can be said how it would be.
        asking = replace(planner.asking, now=0.0)
        waiting = replace(case, factoid=replace(factoid, expires=float("inf")))
        audiences = asking.next(waiting) or [QuestionAudience(asking.lane(waiting))]
        return planner.question(factoid, audiences[0])

    async def lend(
        self, memory: TenantMemory, reach: Reach, limit: int
    ) -> LeasedQuestions:
        """Gives questions to whoever posts them, for a minute."""
        return await self.questions.lend(
            memory.tenant,
            reach,
            policy=memory.validation.policy,
            now=self._now(),
            seconds=LEASE_SECONDS,
            limit=limit,
        )

    async def report(
        self, memory: TenantMemory, question_id: int, lessee: str, report: PostingReport
    ) -> Question:
        """Keeps what became of a question.

        Raises:
            QuestionNotFound: There is none.
            LeaseLost: Somebody else posts it, or has posted it.
        """
        return await self.questions.report(
            memory.tenant, question_id, lessee, report, self._now()
        )

    async def set_opt_out(
        self, memory: TenantMemory, principal: str, *, out: bool, said_by: str
    ) -> None:
        """Says whether somebody is asked, however their name is spelt."""
        tenant, questions = memory.tenant, self.questions
        known = {*memory.validation.policy.people, *await questions.opted_out(tenant)}
        spelt = {principal, *(it for it in known if is_same(it, principal))}
        for name in sorted(spelt):
            await questions.set_opt_out(
                tenant, name, out=out, said_by=said_by, now=self._now()
            )

    async def _planner(self, memory: TenantMemory) -> Planner:
        """What decides who can be asked, as it is now."""
        now, policy = self._now(), memory.validation.policy
        tenant, questions = memory.tenant, self.questions
        today, _ = day_of(now, policy.timezone)
        asking = Asking(
            policy,
            frozenset(map(plain, await questions.opted_out(tenant))),
            await questions.breaker_open(tenant, now),
            now,
        )
        return Planner(
            asking,
            DailyAllowance.of(policy, await questions.spent(tenant, today)),
            lambda factoid: _template(memory, factoid),
            Counter(await questions.waiting_digests(tenant)),
        )

    async def _audits(
        self, memory: TenantMemory, planner: Planner, planned: Sequence[Planned]
    ) -> list[Planned]:
        """Questions whose answer is known, beside some of those that are planned."""
        audits: list[Planned] = []
        policy = memory.validation.policy
        for one in planned:
            if one.audited is None:
                continue
            factoid, audience = one.audited
            known = await self.questions.settled(
                memory.tenant, audience, self._now(), SETTLED_MAX
            )
            inside = [it for it in known if in_pilot(it.predicate, it.author, policy)]
            chosen = choose_audit(inside, factoid, audience)
            taken = {(it.question.factoid_id, it.question.spot) for it in audits}
            if chosen is None or (chosen.id, one.question.spot) in taken:
                continue
            if audit := planner.audit(chosen, audience):
                audits.append(audit)
        return audits


async def _ranked(
    memory: TenantMemory, cases: Sequence[UndecidedCase]
) -> list[UndecidedCase]:
    """Cases, the one whose answer tells most first."""
    orders = []
    for number, case in enumerate(cases):
        orders.append(ranking.order(case.factoid, _interest(memory, case)))
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)  # prompts are answered meanwhile
    ranked = sorted(zip(orders, cases, strict=True), key=itemgetter(0))
    return [case for _, case in ranked]


def _interest(memory: TenantMemory, case: UndecidedCase) -> Interest:
    confidence = calibrated(case.factoid, memory.calibrations)
    return interest_of(case.factoid, memory.world)._replace(confidence=confidence)


def interest_of(factoid: Factoid, world: World) -> Interest:
    """What the memory knows around a candidate."""
    triple = factoid.triple
    concept, dimension = world.id(triple.concept), world.id(triple.dimension)
    known = (world.id(name) for name in (triple.concept, triple.parent))
    saliency = max(
        (world.vocabulary.row(number).saliency for number in known if number), default=0
    )
    held = concept and dimension and world.values(concept, dimension)
    return Interest(saliency, novel=not held)


def _template(memory: TenantMemory, factoid: Factoid) -> str:
    """How a candidate's predicate is asked; empty for the usual words."""
    triple = factoid.triple
    if factoid.predicate in memory.registry:
        return memory.registry.of_uri(factoid.predicate).question
    predicate = memory.registry.of(triple.dimension, triple.is_isa)
    return predicate.question if predicate else ""
