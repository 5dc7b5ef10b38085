"""Runs of the resolver: a model settles what waits for a decision.

Every decision is a transaction of its own, so nothing is half done if a run is left.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from time import monotonic
from typing import TypeAlias

from festinger.core.graph.resolution import Conflict, ConflictDecision
from festinger.core.system.models import Purpose
from festinger.core.system.runs import Run
from festinger.llm.interface import LanguageModel
from festinger.services.graph.advising import Advised, settle_by_model
from festinger.services.system.running import Runner, RunProgress, Underway
from festinger.services.world.memory import Memories, TenantMemory
from festinger.store.system.runs import PostgresRuns

Resolving: TypeAlias = RunProgress[Run, Conflict]
"""How far a run is, and the conflict that it has just looked at."""


class Resolver(Runner[Run, Conflict]):
    """Lets models settle what waits.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each run that could not go on.
    """

    purpose = Purpose.RESOLVE
    noun = "run"

    def __init__(
        self,
        memories: Memories,
        models: LanguageModel,
        runs: PostgresRuns,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        super().__init__(memories, runs, now=now, complain=complain)
        self.runs = runs
        self._models = models

    def run(
        self, tenant: str, principal: str, only: Sequence[int] = ()
    ) -> AsyncIterator[Resolving]:
        """Begins a run, or watches the one that is under way, to its end.

        The run goes on if nobody watches any more.

        Args:
            only: The conflicts that it looks at; none for all that are for models.

        Raises:
            NoModel: No model is chosen.
            TenantNotFound: There is no such tenant.
            Overloaded: The server stops.
            DatabaseUnavailable: Nobody can say whether one is under way.
        """
        return self._run(tenant, principal, only)

    async def _begin(
        self,
        tenant: str,
        principal: str,
        due: float | None,
        wanted: Sequence[int] | None,
    ) -> Run | None:
        return await self.runs.begin(
            tenant, principal, now=self._now(), due=due, only=wanted or ()
        )

    async def _do_all(
        self, memory: TenantMemory, underway: Underway[Run, Conflict]
    ) -> None:
        run = underway.run
        waiting = await self.runs.for_models(memory.tenant, run.only)
        # One that is gone on with has looked at some of them.
        run.total = run.done + len(waiting)
        underway.tell(RunProgress(run))
        for conflict_id in waiting:
            started = monotonic()
            advised = await settle_by_model(
                memory, conflict_id, models=self._models, runs=self.runs
            )
            _count(run, advised)
            await self.runs.save(memory.tenant, run)
            seconds = monotonic() - started
            underway.tell(RunProgress(run, advised.conflict, advised.error, seconds))


def _count(run: Run, advised: Advised) -> None:
    if advised.skipped:
        run.skipped += 1
    elif advised.error:
        run.failed += 1
    elif advised.conflict.decision is ConflictDecision.DISMISS:
        run.dismissed += 1
    else:
        run.resolved += 1
