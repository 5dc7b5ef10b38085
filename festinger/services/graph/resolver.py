"""Runs of the resolver, in which a model settles pending conflicts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from time import monotonic
from typing import TypeAlias

from festinger.core.graph.resolution import Conflict, ConflictDecision
from festinger.core.system.models import Purpose
from festinger.core.system.runs import Run
from festinger.llm.interface import LanguageModel
from festinger.services.graph.advising import AdviceResult, settle_by_model
from festinger.services.system.runner import ActiveRun, Runner, RunProgress
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.runs import PostgresRuns

Resolving: TypeAlias = RunProgress[Run, Conflict]
"""Progress of a run, with the conflict that it has just handled."""


class Resolver(Runner[Run, Conflict]):
    """Runner that has models settle pending conflicts.

    Args:
        complain: Called with a sentence for each run that could not go on.
    """

    # The model of this purpose is asked; without one, no run starts (F1).
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
        """Start a run, or watch the one in progress, until its end.

        Args:
            only: Numbers of the conflicts to handle; empty for all that are for models.

        Raises:
            NoModel: No model is configured.
            TenantNotFound: There is no such tenant.
        """
        return self._run(tenant, principal, only)

    async def _begin(
        self,
        tenant: str,
        principal: str,
        # `due` is the moment of the schedule; None for a run that somebody asked for.
        due: float | None,
        wanted: Sequence[int] | None,
    ) -> Run | None:
        return await self.runs.begin(
            tenant, principal, now=self._now(), due=due, only=wanted or ()
        )

    async def _do_all(
        self, memory: TenantMemory, underway: ActiveRun[Run, Conflict]
    ) -> None:
        run = underway.run
        # In the order of urgency: what people stated first (C7).
        waiting = await self.runs.for_models(memory.tenant, run.only)
        # A resumed run has handled some of them before.
        run.total = run.done + len(waiting)
        underway.tell(RunProgress(run))
        # Each decision is a transaction of its own: an interrupted run leaves nothing half done.
        for conflict_id in waiting:
            started = monotonic()
            advised = await settle_by_model(
                memory, conflict_id, models=self._models, runs=self.runs, run=run
            )
            _count(run, advised)
            # After each conflict, so that a run that another server resumes counts on from here.
            await self.runs.save(memory.tenant, run)
            seconds = monotonic() - started
            underway.tell(RunProgress(run, advised.conflict, advised.error, seconds))


def _count(run: Run, advised: AdviceResult) -> None:
    # Before the others: a skipped conflict was decided by somebody else.
    if advised.skipped:
        run.skipped += 1
    elif advised.error:
        run.failed += 1
    elif advised.conflict.decision is ConflictDecision.DISMISS:
        run.dismissed += 1
    else:
        run.resolved += 1
