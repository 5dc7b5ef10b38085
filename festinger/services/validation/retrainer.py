"""Learn from answers every night, and monitor the quality of validation (I5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any

from festinger.core.system.schedule import Schedule
from festinger.core.validation import breaker, drift
from festinger.core.validation.calibration import calibrate
from festinger.core.validation.karma import karma
from festinger.core.validation.labels import Naming, by_name, example, pseudonyms
from festinger.core.validation.metrics import HOURS, ValidationMetrics, alerts
from festinger.core.validation.reputation import learn
from festinger.services.system.leases import LEASE_SECONDS, each_served, work_alone
from festinger.services.validation.reviser import revise_all
from festinger.services.world.memory import Memories
from festinger.store.validation.labelfiles import LabelFolder
from festinger.store.validation.learning import PostgresLessons
from festinger.store.validation.records import (
    LearningResult,
    LearningState,
    Rater,
    TrainingData,
)

NIGHTLY, WEEKLY = "30 3 * * *", "0 4 * * 1"
"""Schedules of learning and of writing examples, in the time zone of validation."""


@dataclass(eq=False)
class Retrainer:
    """Learning from people's answers.

    Args:
        complain: Called with a sentence for each new alert.
    """

    memories: Memories
    lessons: PostgresLessons
    files: LabelFolder
    _: KW_ONLY
    now: Callable[[], float]
    complain: Callable[[str], None] = lambda message: None
    _alerted: dict[str, set[str]] = field(default_factory=dict, init=False)

    async def look(self) -> None:
        """Do what is due: learn once a night, write examples once a week."""
        # Reputations, calibrations and examples are learnt; no model's weights are (I4a).
        await each_served(
            self.memories,
            await self.lessons.tenants(),
            self._learn_alone,
            complain=self.complain,
            lament="nothing is learnt",
        )

    async def watch(self) -> None:
        """Update breakers, metrics and calibrations of all memories."""
        tenants = await self.lessons.tenants()
        for tenant in await self.memories.directory.served(tenants):
            # Too much that was confirmed is reversed: until it closes, only moderators decide.
            await self.judge_breaker(tenant)
            measured = await self.metrics(tenant)
            self.memories.statistics.validation[tenant] = measured
            self._tell(tenant, measured)
        # Candidates of tenants without answers are taken as confident as they say.
        for memory in self.memories.loaded:
            known = self.memories.statistics.validation.get(
                memory.tenant, ValidationMetrics()
            )
            memory.calibrations = {it.extractor: it for it in known.calibrations}

    async def learn(self, tenant: str) -> LearningResult:
        """Learn from all answers, store the result, and revise decisions by it."""
        now = self.now()
        material = await self.lessons.material(tenant, now)
        # In a thread, it does not block prompts.
        lesson = await asyncio.to_thread(_learnt, material, now)
        await self.lessons.save(tenant, lesson)
        await self._revise(tenant, lesson.fitted)
        return lesson

    async def judge_breaker(self, tenant: str) -> breaker.ReversalBreaker:
        """Open or close the breaker of a memory according to recent reversals."""
        now, policy = self.now(), self.memories.validation.policy
        was = (await self.lessons.ratings(tenant)).breaker
        # Since the last opening: what opened it once must not open it again.
        since = breaker.since(was, policy, now)
        reversals = await self.lessons.reversals(tenant, since)
        is_now = breaker.judge(was, reversals, policy, now)
        if is_now != was:
            await self.lessons.set_breaker(tenant, was, is_now)
        return is_now

    async def raters(self, tenant: str) -> tuple[list[Rater], LearningState]:
        """Return the raters with their answers, and the ratings learnt from them."""
        return await self.lessons.raters(tenant), await self.lessons.ratings(tenant)

    async def metrics(self, tenant: str, hours: int = HOURS) -> ValidationMetrics:
        """Return the metrics of validation over a number of hours."""
        return await self.lessons.metrics(
            tenant, hours, self.memories.validation.policy, self.now()
        )

    async def examples(
        self,
        tenant: str,
        since: float = 0.0,
        *,
        named: bool = False,
        sensitive: bool = False,
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield decided candidates as labelled examples, oldest decision first.

        Args:
            since: Only candidates decided since then, in epoch seconds.
            named: Whether raters are named instead of given pseudonyms.
            sensitive: Whether candidates with private content are included.
        """
        naming: Naming = by_name
        if not named:
            # The same rater has the same pseudonym in each file, by a secret key of the tenant.
            naming = pseudonyms((await self.lessons.ratings(tenant)).key)
        pages = self.lessons.decided(tenant, since, sensitive=sensitive)
        async for page in pages:
            for candidate, events in page:
                yield example(candidate, events, naming)

    async def _revise(self, tenant: str, fitted: float) -> None:
        """Revise what votes confirmed by what was learnt, and say what changed."""
        memory = await self.memories.get(tenant)
        revised = await revise_all(memory, self.lessons, fitted)
        if any(revised):
            self.complain(
                f"tenant {tenant}: weights of votes were learnt anew: "
                f"{revised.withdrawn} confirmations by votes lost their grounds and wait "
                f"for a moderator in the inbox, {revised.restored} are held again"
            )

    def _is_due(self, cron: str, last: float | None) -> bool:
        zone = self.memories.validation.policy.timezone
        if last is None:
            return True
        return Schedule(cron, zone).latest(last, self.now()) is not None

    async def _learn_alone(self, tenant: str) -> None:
        """Do what is due, unless another process does it."""
        if await self._due(tenant):
            # Two servers would do the same at the same time.
            do_due = partial(self._do_due, tenant)
            await work_alone(self.lessons, tenant, LEASE_SECONDS, do_due)

    async def _due(self, tenant: str) -> list[Callable[[], Awaitable[Any]]]:
        """Return the functions that do what is due."""
        due: list[Callable[[], Awaitable[Any]]] = []
        ratings = await self.lessons.ratings(tenant)
        # Several missed nights are made up for once: learning takes in all answers.
        if self._is_due(NIGHTLY, ratings.fitted):
            due.append(partial(self.learn, tenant))
        # An interrupted revision is completed, without learning again.
        elif ratings.fitted is not None and not ratings.is_revised:
            due.append(partial(self._revise, tenant, ratings.fitted))
        if self._is_due(WEEKLY, await self.files.written(tenant)):
            due.append(partial(self._write, tenant))
        return due

    async def _do_due(self, tenant: str) -> None:
        """Do what is due."""
        # Read anew: before the lease was free, its holder may have done some of it.
        for do in await self._due(tenant):
            await do()

    async def _write(self, tenant: str) -> None:
        """Replace the file of examples; write none if there are no examples."""
        examples = self.examples(tenant)
        first = await anext(examples, None)
        if first is not None:
            await self.files.write(tenant, _again(first, examples), self.now())

    def _tell(self, tenant: str, measured: ValidationMetrics) -> None:
        """Complain about alerts that are new."""
        found = {each.name: each.message for each in alerts(measured)}
        known = self._alerted.get(tenant, set())
        # New ones only: an alert that goes on is not repeated every minute.
        for name in sorted(found.keys() - known):
            self.complain(f"tenant {tenant}: {name}: {found[name]}")
        self._alerted[tenant] = {*found}


# Runs in a thread: plain values in, plain values out.
def _learnt(material: TrainingData, now: float) -> LearningResult:
    reputations = learn(material.votes, material.gold)
    # Raters who vote alike count as one (I5), so their karma is shared, too.
    blocs = {rater: it.bloc for rater, it in reputations.of.items()}
    return LearningResult(
        votes=len(material.votes),
        reputations=reputations,
        karma=karma(material.decided, material.votes, blocs),
        calibrations=[
            calibrate(extractor, labels, now=now)
            for extractor, labels in sorted(material.labels.items())
        ],
        shadows=material.shadows,
        drift=drift.compare(material.shadows),
        fitted=now,
    )


async def _again(
    first: dict[str, Any], rest: AsyncIterator[dict[str, Any]]
) -> AsyncIterator[dict[str, Any]]:
    yield first
    async for each in rest:
        yield each
