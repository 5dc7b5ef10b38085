"""A model settles one contradiction, by the same gate as a person would."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.graph.counsel import SYSTEM, Counsel, question
from festinger.core.graph.gate import judge
from festinger.core.graph.resolution import Conflict, ConflictDecision, ConflictState
from festinger.core.system.models import Purpose
from festinger.core.system.runs import RESOLVER
from festinger.core.world.draft import Draft
from festinger.errors import (
    BadAnswer,
    ConflictClosed,
    EtagMismatch,
    InvalidArgument,
)
from festinger.llm.interface import LanguageModel
from festinger.services.graph.resolving import Resolution
from festinger.services.world.memory import TenantMemory
from festinger.services.world.waiting import as_stated
from festinger.store.system.runs import PostgresRuns

CHANGES_MAX = 3
"""How often a conflict is thought about anew in a run, because it changed meanwhile."""
NOTHING_AGAINST = "nothing runs against it any more"
ERROR_CHARACTERS_MAX = 500


@dataclass(frozen=True, slots=True)
class Advised:
    """What a model made of a conflict.

    Attributes:
        conflict: As it is now.
        error: Why it stays pending; empty if it does not.
        skipped: Whether somebody else settled it meanwhile.
    """

    conflict: Conflict
    error: str = ""
    skipped: bool = False


async def settle_by_model(
    memory: TenantMemory, conflict_id: int, *, models: LanguageModel, runs: PostgresRuns
) -> Advised:
    """Asks the model about a conflict and does as it says, if the gate lets it.

    The model is asked outside of any transaction. If the conflict changed while it was
    thinking, it is asked again; nothing is applied to another world than the one that it
    judged (C9).

    Raises:
        ModelError: The model gives no answer to anything at the moment.
        DatabaseUnavailable: Nobody knows what was written.
    """
    for _ in range(CHANGES_MAX):
        conflict = await _read(memory, conflict_id)
        if conflict.state is not ConflictState.PENDING:
            return Advised(conflict, skipped=True)
        try:
            if _collides(memory, conflict):
                decision = await _advise(memory, conflict, models)
            else:
                decision = _decision(conflict, Counsel.model_validate(_UNOPPOSED))
            settled, _ = await memory.writer.submit(decision)
        except (EtagMismatch, ConflictClosed):
            continue
        except (BadAnswer, InvalidArgument) as error:
            return await _failed(memory, conflict_id, str(error), runs)
        return Advised(settled)
    return await _failed(memory, conflict_id, "it changed again and again", runs)


_UNOPPOSED = {"decision": ConflictDecision.UPDATE, "reasoning": NOTHING_AGAINST}


async def _advise(
    memory: TenantMemory, conflict: Conflict, models: LanguageModel
) -> Resolution:
    """What the model says is to be done."""
    async with memory.store.reading(memory.tenant) as reads:
        dimensions = await reads.dimensions()
    concept_id = memory.world.id(conflict.incoming.concept)
    facts = memory.world.facts(concept_id) if concept_id is not None else []
    counsel = await models.ask(
        memory.tenant,
        Purpose.RESOLVE,
        system=SYSTEM,
        prompt=question(conflict, list(map(memory.world.name, facts)), dimensions),
        form=Counsel,
    )
    return _decision(conflict, counsel)


def _decision(conflict: Conflict, counsel: Counsel) -> Resolution:
    decision, incoming, existing = counsel.read()
    return Resolution(
        conflict.id,
        decision,
        principal=RESOLVER,
        reasoning=counsel.reasoning,
        etag=conflict.etag,
        request=None,
        incoming_dimension=incoming,
        existing_dimension=existing,
    )


def _collides(memory: TenantMemory, conflict: Conflict) -> bool:
    """Whether anything runs against the statement still."""
    draft = Draft(memory.world, now=memory.now())
    return judge(as_stated(conflict, decider=RESOLVER), draft).collision is not None


async def _read(memory: TenantMemory, conflict_id: int) -> Conflict:
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.conflict(conflict_id)


async def _failed(
    memory: TenantMemory, conflict_id: int, error: str, runs: PostgresRuns
) -> Advised:
    """Counts a failure; from the fifth on the conflict waits for a person (C8).

    None is left to wait if somebody else settled it just now.
    """
    error = error[:ERROR_CHARACTERS_MAX]
    await runs.fail(memory.tenant, conflict_id, error)
    conflict = await _read(memory, conflict_id)
    if conflict.state is not ConflictState.PENDING:
        return Advised(conflict, skipped=True)
    return Advised(conflict, error)
