"""People's decisions in tests of the services."""

from __future__ import annotations

from typing import Any

from festinger.core.graph.resolution import Conflict, ConflictDecision
from festinger.core.graph.statement import parse_fact
from festinger.core.language.turns import Role, Turn
from festinger.core.validation.votes import EventResponse
from festinger.services.graph.facts import Retracted, retract_fact
from festinger.services.graph.resolving import Resolution
from festinger.services.validation.answers import operator_answer
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.pool import Pool
from festinger.store.world.batches import RequestKey
from tests.memories import held, recollect_prompt
from tests.services.conftest import settled, state


async def resolve(
    memory: TenantMemory,
    number: int,
    decision: ConflictDecision = ConflictDecision.UPDATE,
    **fields: Any,
) -> Conflict:
    """Return a person's decision about a conflict."""
    values = {"principal": "op", "reasoning": "", "etag": "", "request": None}
    job = Resolution(number, decision, **(values | fields))
    conflict, _ = await memory.writer.submit(job)
    return conflict


async def dismiss(memory: TenantMemory, number: int) -> Conflict:
    """Return a decision that lets the fact stand."""
    return await resolve(memory, number, ConflictDecision.DISMISS)


async def decompose(
    memory: TenantMemory, number: int, existing: str, incoming: str
) -> Conflict:
    """Return a decision that gives the fact and the statement a dimension each."""
    return await resolve(
        memory,
        number,
        ConflictDecision.DECOMPOSE,
        existing_dimension=existing,
        incoming_dimension=incoming,
    )


async def reclassify(memory: TenantMemory, number: int, incoming: str) -> Conflict:
    """Return a decision that gives the statement another dimension."""
    return await resolve(
        memory, number, ConflictDecision.RECLASSIFY, incoming_dimension=incoming
    )


async def retract(
    memory: TenantMemory,
    fact: str,
    principal: str = "op",
    request: RequestKey | None = None,
    why: str = "",
) -> Retracted:
    """Return a retraction, and what it led to."""
    return await retract_fact(
        memory, parse_fact(fact), principal=principal, why=why, request=request
    )


async def contradict(memory: TenantMemory, *facts: str) -> None:
    """State facts, of which the later ones collide with the first."""
    for fact in facts:
        await state(memory, fact)


async def strand(memory: TenantMemory, pool: Pool, concept: str) -> None:
    """
    Drop what is held of a concept, and frees nothing: what it kept waiting is left as
    older servers may have left it.
    """
    await pool.execute(
        "delete from urd u using soas s where s.token = $1 and s.tenant = u.tenant "
        "and s.id = u.id and u.id <> u.parent_id",
        concept,
    )
    await memory.writer.reload()


async def tell(
    memory: TenantMemory, text: str, role: Role = Role.USER, principal: str = "alice"
) -> None:
    """Has a prompt state something, and waits until that is written."""
    recollect_prompt(memory, [Turn(role, text)], principal=principal)
    await settled(memory)


async def confirm(memory: TenantMemory, number: int) -> Any:
    """Return a person's confirmation of a candidate."""
    made = await _answer(memory, number, EventResponse.CONFIRMED)
    return made.candidate, made.verdict, made.version


async def reject(memory: TenantMemory, number: int) -> None:
    """A person's rejection of a candidate."""
    await _answer(memory, number, EventResponse.REJECTED)


async def _answer(memory: TenantMemory, number: int, response: EventResponse) -> Any:
    policy = memory.validation.policy
    return await memory.writer.submit(
        operator_answer(number, response, principal="op", policy=policy)
    )


def parents(memory: TenantMemory, concept: str = "gnommoweb") -> set[str]:
    """Return the parents of a concept."""
    return {it.parent for it in held(memory.world) if it.concept == concept}


def places(memory: TenantMemory, concept: str = "gnommoweb") -> set[tuple[str, str]]:
    """Return the dimensions and parents of a concept."""
    facts = held(memory.world)
    return {(it.dimension, it.parent) for it in facts if it.concept == concept}
