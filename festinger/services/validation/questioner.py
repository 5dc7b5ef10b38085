"""Ask people about candidates, and about items of the inbox."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from operator import itemgetter

from festinger.core.graph.candidates import Candidate, Priority
from festinger.core.graph.proposal import Triple
from festinger.core.review.inbox import InboxFilter, InboxMark
from festinger.core.system.principals import is_same, plain
from festinger.core.validation.calibration import calibrated
from festinger.core.validation.daily_items import (
    ASKED_KINDS,
    DailyItems,
    question_about,
)
from festinger.core.validation.escalation import AskingConditions, UndecidedCase
from festinger.core.validation.limits import DailyAllowance, day_of
from festinger.core.validation.planning import (
    PlannedQuestion,
    Planner,
    RankingInput,
    choose_audit,
    order,
)
from festinger.core.validation.policy import in_pilot
from festinger.core.validation.posting import PostingReport
from festinger.core.validation.questions import ClosedBecause, Question
from festinger.core.validation.tones import QuestionAudience
from festinger.core.world.world import World
from festinger.errors import TenantNotFound
from festinger.services.review.item_decisions import deed
from festinger.services.system.leases import each_served
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.validation.questions import PostgresQuestions
from festinger.store.validation.records import BotTargets, LeasedQuestions

AT_ONCE = 20
"""Number of cases that are planned before control returns to the event loop."""
ITEMS_MAX, PAGES_MAX = 100, 5
"""Maximum number of items of the inbox per page and of pages per call."""
CASES_MAX = 1000
"""Maximum number of candidates per call, the most urgent first."""
LATELY_SECONDS = 7 * 86_400.0
"""Seconds before the same question is put to the same person again."""
LEASE_SECONDS = 60.0
"""Duration of a bot's lease on a question."""
# Not given back: meanwhile, one server alone makes the questions of the memory.
LOOK_SECONDS = 30.0
"""Duration of a server's lease on making the questions of a memory."""
SETTLED_MAX = 100
"""Maximum number of settled candidates from which an audit is chosen."""


@dataclass(eq=False)
class Questioner:
    """Planner of questions, which bots lease and post.

    Args:
        complain: Called with a sentence for each memory in which it fails.
    """

    memories: Memories
    questions: PostgresQuestions
    _: KW_ONLY
    now: Callable[[], float]
    complain: Callable[[str], None] = lambda message: None

    async def look(self) -> None:
        """Close expired questions and make new ones, in every memory."""
        policy = self.memories.validation.policy
        due = await self.questions.tenants(self.now(), items=policy.asks_items)
        await each_served(
            self.memories,
            due,
            self._ask_alone,
            complain=self.complain,
            lament="nobody is asked",
        )

    async def _ask_alone(self, tenant: str) -> None:
        """Make the questions of a tenant, unless another server does it."""
        # Several servers would ask the same question.
        if await self.questions.take_lease(tenant, LOOK_SECONDS):
            # The tenant may have been deleted in the meantime.
            with suppress(TenantNotFound):
                await self.ask(await self.memories.get(tenant))

    async def ask(self, memory: TenantMemory) -> int:
        """Make the questions that are due in a memory and return their number."""
        now, policy = self.now(), memory.validation.policy
        tenant, questions = memory.tenant, self.questions
        # Audits have no deadline of their own: they end after that of a normal candidate.
        normal = policy.ttl_seconds[Priority.NORMAL]
        await questions.close_over(tenant, now, now - normal)
        await self._close_items(memory)
        cases = await questions.cases(tenant, now, now - LATELY_SECONDS, CASES_MAX)
        planner = await self._planner(memory)
        # Items first: they are few a day, and the costliest mistakes.
        planned = await self._items(memory, planner)
        # By information gain, so that the daily limits are spent on what decides most.
        ranked = await _ranked(memory, cases)
        for begin in range(0, len(ranked), AT_ONCE):
            # In parts: the planner counts the allowance as it goes.
            planned += planner.plan(ranked[begin : begin + AT_ONCE])
            await asyncio.sleep(0)  # lets prompts be answered in between
        # Last, since audits accompany the questions that were planned.
        planned += await self._audits(memory, planner, planned)
        return await questions.add(tenant, planned)

    async def _close_items(self, memory: TenantMemory) -> None:
        """Close the questions about items that were decided or put aside elsewhere."""
        for ref in await self.questions.gone_items(memory.tenant):
            async with memory.store.reading(memory.tenant) as reads:
                decision = await reads.inbox_decision_about(ref)
            await self.questions.close_item(
                memory.tenant,
                ref,
                ClosedBecause.DECIDED,
                f"It {deed(decision)}." if decision else "It was decided.",
                self.now(),
            )

    async def _items(
        self, memory: TenantMemory, planner: Planner
    ) -> list[PlannedQuestion]:
        """Return questions about items of the inbox, the costliest mistakes first."""
        now, policy = self.now(), memory.validation.policy
        # The day of the people, not that of the server.
        today, _ = day_of(now, policy.timezone)
        spent = await self.questions.items_spent(memory.tenant, today)
        # A handful a day, shared out among the moderators.
        handful = DailyItems(planner.asking, spent)
        planned: list[PlannedQuestion] = []
        after = None
        for _ in range(PAGES_MAX):
            if handful.is_full:
                break
            async with memory.store.reading(memory.tenant) as reads:
                items = await reads.inbox(
                    InboxFilter(ASKED_KINDS), after=after, limit=ITEMS_MAX
                )
            if not items:
                break
            asked = await self.questions.asked_items(
                memory.tenant, [item.ref for item in items]
            )
            for item, audience in handful.choose(items, asked):
                question = question_about(
                    item,
                    audience,
                    lambda triple: _template(memory, triple),
                    due=now,
                    now=now,
                )
                if one := planner.add_item(question):
                    planned.append(one)
            last = items[-1]
            after = InboxMark(last.cost.total, last.ref.number, last.ref.place)
        return planned

    async def preview(self, memory: TenantMemory, candidate: Candidate) -> Question:
        """Return the open question about a candidate, or the one that would be made."""
        asked = await self.questions.list(memory.tenant, candidate_id=candidate.id)
        # Audits have a known answer; they are not about this candidate being open.
        open_ones = [it for it in asked if it.gold_answer is None and not it.outcome]
        if open_ones:
            return open_ones[0]
        planner = await self._planner(memory)
        case = await self.questions.case(memory.tenant, candidate)
        # Ignore deadlines: a preview is possible even if nobody would be asked.
        asking = replace(planner.asking, now=0.0)
        waiting = replace(case, candidate=replace(candidate, expires=float("inf")))
        audiences = asking.next(waiting) or [QuestionAudience(asking.lane(waiting))]
        return planner.question(candidate, audiences[0])

    async def lease(
        self, memory: TenantMemory, reach: BotTargets, limit: int
    ) -> LeasedQuestions:
        """Lease questions to a bot for a minute."""
        return await self.questions.lease(
            memory.tenant,
            reach,
            policy=memory.validation.policy,
            now=self.now(),
            seconds=LEASE_SECONDS,
            limit=limit,
        )

    async def report(
        self, memory: TenantMemory, question_id: int, lessee: str, report: PostingReport
    ) -> Question:
        """Record the result of posting; `LeaseLost` if another bot posts it."""
        return await self.questions.report(
            memory.tenant, question_id, lessee, report, self.now()
        )

    async def set_opt_out(
        self, memory: TenantMemory, principal: str, *, out: bool, said_by: str
    ) -> None:
        """Opt a principal out of questions, or in again, in all spellings."""
        tenant, questions = memory.tenant, self.questions
        # A person with several spellings opts out with all of them.
        known = {*memory.validation.policy.people, *await questions.opted_out(tenant)}
        spelt = {principal, *(it for it in known if is_same(it, principal))}
        await questions.set_opt_out(
            tenant, sorted(spelt), out=out, said_by=said_by, now=self.now()
        )

    async def _planner(self, memory: TenantMemory) -> Planner:
        """Return a planner with current opt-outs, breaker, and daily allowance."""
        now, policy = self.now(), memory.validation.policy
        tenant, questions = memory.tenant, self.questions
        today, _ = day_of(now, policy.timezone)
        asking = AskingConditions(
            policy,
            frozenset(map(plain, await questions.opted_out(tenant))),
            await questions.breaker_open(tenant, now),
            now,
        )
        return Planner(
            asking,
            DailyAllowance.of(policy, await questions.spent(tenant, today)),
            lambda candidate: _template(memory, candidate.triple, candidate.predicate),
            # Texts that wait already: of two equal questions, one is put.
            Counter(await questions.waiting_digests(tenant)),
        )

    async def _audits(
        self, memory: TenantMemory, planner: Planner, planned: Sequence[PlannedQuestion]
    ) -> list[PlannedQuestion]:
        """Return audits, questions with known answers, to go with planned ones."""
        audits: list[PlannedQuestion] = []
        policy = memory.validation.policy
        for one in planned:
            if one.audited is None:
                continue
            candidate, audience = one.audited
            known = await self.questions.settled(
                memory.tenant, audience, self.now(), SETTLED_MAX
            )
            # Only people of the pilot are asked, and about its predicates (I4a).
            inside = [it for it in known if in_pilot(it.predicate, it.author, policy)]
            chosen = choose_audit(inside, candidate, audience)
            # One audit is asked once at a place, though several questions may want it.
            taken = {(it.question.candidate_id, it.question.spot) for it in audits}
            if chosen is None or (chosen.id, one.question.spot) in taken:
                continue
            if audit := planner.audit(chosen, audience):
                audits.append(audit)
        return audits


async def _ranked(
    memory: TenantMemory, cases: Sequence[UndecidedCase]
) -> list[UndecidedCase]:
    """Return cases in the order of their information gain, the largest first."""
    orders = []
    for number, case in enumerate(cases):
        orders.append(order(case.candidate, _interest(memory, case)))
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)  # lets prompts be answered in between
    ranked = sorted(zip(orders, cases, strict=True), key=itemgetter(0))
    return [case for _, case in ranked]


def _interest(memory: TenantMemory, case: UndecidedCase) -> RankingInput:
    confidence = calibrated(case.candidate, memory.calibrations)
    return interest_of(case.candidate, memory.world)._replace(confidence=confidence)


def interest_of(candidate: Candidate, world: World) -> RankingInput:
    """Return the saliency and novelty of a candidate in the graph."""
    triple = candidate.triple
    concept, dimension = world.id(triple.concept), world.id(triple.dimension)
    known = (world.id(name) for name in (triple.concept, triple.parent))
    saliency = max(
        (world.vocabulary.row(number).saliency for number in known if number), default=0
    )
    # A concept without a value there: the answer would say something new.
    held = concept and dimension and world.values(concept, dimension)
    return RankingInput(saliency, novel=not held)


def _template(memory: TenantMemory, triple: Triple, uri: str = "") -> str:
    """Return the question template of a predicate; empty for the default."""
    # The predicate that it was proposed with may have a question of its own.
    if uri in memory.registry:
        return memory.registry.of_uri(uri).question
    predicate = memory.registry.of(triple.dimension, triple.is_isa)
    return predicate.question if predicate else ""
