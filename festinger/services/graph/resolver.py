"""Settling of conflicts by a model, and runs of the resolver, which do so with all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TypeAlias

from festinger.core.graph.advice import SYSTEM, ConflictAdvice, question
from festinger.core.graph.gate import judge
from festinger.core.graph.resolution import Conflict, ConflictDecision, ConflictState
from festinger.core.system.models import Purpose
from festinger.core.system.retries import ERROR_CHARACTERS_MAX
from festinger.core.system.runs import RESOLVER, Run
from festinger.core.world.draft import Draft
from festinger.errors import BadAnswer, ConflictClosed, EtagMismatch, InvalidArgument
from festinger.llm.interface import LanguageModel
from festinger.services.graph.resolving import Resolution
from festinger.services.system.runner import ActiveRun, Runner, RunProgress
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.services.world.waiting import as_stated
from festinger.store.system.runs import PostgresRuns, RunWrites

CHANGES_MAX = 3
"""How often the model is asked about a conflict that changes while it is asked."""
NOTHING_AGAINST = "nothing runs against it any more"


@dataclass(frozen=True, slots=True)
class AdviceResult:
    """Result of asking a model about a conflict.

    Attributes:
        conflict: The conflict as it is now.
        error: Why the conflict stays pending; empty if it does not.
        skipped: Whether somebody else settled it in the meantime.
    """

    conflict: Conflict
    error: str = ""
    skipped: bool = False


async def settle_by_model(
    memory: TenantMemory,
    conflict_id: int,
    *,
    models: LanguageModel,
    runs: PostgresRuns,
    run: Run,
) -> AdviceResult:
    """Ask the model about a conflict and apply its decision, if the gate allows it.

    Args:
        run: Its row counts the decision in the same transaction.

    Raises:
        ModelError: The model answers no requests at the moment.
        DatabaseUnavailable: The outcome of the commit is unknown.
    """
    # Asking takes seconds and no lock, so the conflict may change meanwhile: ask anew then.
    for _ in range(CHANGES_MAX):
        conflict = await _read(memory, conflict_id)
        if conflict.state is not ConflictState.PENDING:
            return AdviceResult(conflict, skipped=True)
        try:
            # What it collided with may have been retracted since: no model is needed for that.
            if _collides(memory, conflict):
                decision = await _advise(memory, conflict, models)
            else:
                decision = _decision(
                    conflict, ConflictAdvice.model_validate(_UNOPPOSED)
                )
            _count_in(run, decision)
            settled, _ = await memory.writer.submit(decision)
        # Changed or settled while the model thought; its decision was about another state (C9).
        except (EtagMismatch, ConflictClosed):
            continue
        # An answer that cannot be read, or that collides again; the model is told so next time.
        except (BadAnswer, InvalidArgument) as error:
            return await _failed(memory, conflict_id, str(error), runs)
        return AdviceResult(settled)
    return await _failed(memory, conflict_id, "it changed again and again", runs)


def _count_in(run: Run, decision: Resolution) -> None:
    """Have the transaction of a decision save the run with one more conflict settled."""
    if decision.decision is ConflictDecision.DISMISS:
        counted = replace(run, dismissed=run.dismissed + 1)
    else:
        counted = replace(run, resolved=run.resolved + 1)
    decision.also = lambda batch: batch.of(RunWrites).saved.append(counted)


_UNOPPOSED = {"decision": ConflictDecision.UPDATE, "reasoning": NOTHING_AGAINST}


async def _advise(
    memory: TenantMemory, conflict: Conflict, models: LanguageModel
) -> Resolution:
    """Ask the model and return its decision."""
    # The names of the dimensions, so that the model reuses one instead of inventing one.
    async with memory.store.reading(memory.tenant) as reads:
        dimensions = await reads.dimensions()
    # The conflict was read from the database, which the world in memory may be behind.
    concept_id = memory.world.id(conflict.incoming.concept)
    facts = memory.world.facts(concept_id) if concept_id is not None else []
    advice = await models.ask(
        memory.tenant,
        Purpose.RESOLVE,
        system=SYSTEM,
        prompt=question(conflict, list(map(memory.world.name, facts)), dimensions),
        form=ConflictAdvice,
    )
    return _decision(conflict, advice)


def _decision(conflict: Conflict, advice: ConflictAdvice) -> Resolution:
    decision, incoming, existing = advice.read()
    return Resolution(
        conflict.id,
        decision,
        principal=RESOLVER,
        reasoning=advice.reasoning,
        # The gate applies the decision only to the state that the model was shown (C9).
        etag=conflict.etag,
        request=None,
        incoming_dimension=incoming,
        existing_dimension=existing,
    )


def _collides(memory: TenantMemory, conflict: Conflict) -> bool:
    """Return whether a held fact or denial still collides with the statement."""
    draft = Draft(memory.world, now=memory.now())
    return judge(as_stated(conflict, decider=RESOLVER), draft).collision is not None


async def _read(memory: TenantMemory, conflict_id: int) -> Conflict:
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.conflict(conflict_id)


async def _failed(
    memory: TenantMemory, conflict_id: int, error: str, runs: PostgresRuns
) -> AdviceResult:
    """Record a failure; from the fifth on the conflict waits for a person (C8)."""
    error = error[:ERROR_CHARACTERS_MAX]
    # Counts only while the conflict is pending, see `fail_conflict`.
    await runs.fail(memory.tenant, conflict_id, error)
    conflict = await _read(memory, conflict_id)
    if conflict.state is not ConflictState.PENDING:
        return AdviceResult(conflict, skipped=True)
    return AdviceResult(conflict, error)


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
        """Start a run, or watch the one in progress, until its end, as `_run` does.

        Args:
            only: Numbers of the conflicts to handle; empty for all that are for models.
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
        scope = tuple(wanted or ())
        return await self.runs.begin(tenant, principal, scope, now=self._now(), due=due)

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
