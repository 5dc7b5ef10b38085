"""Somebody states a fact and wants to know what became of it."""

from __future__ import annotations

from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple
from festinger.services.world.jobs import Assertion
from festinger.services.world.memory import TenantMemory
from festinger.store.world.batches import RequestKey


async def assert_fact(
    memory: TenantMemory,
    triple: Triple,
    *,
    principal: str,
    subject: str = "",
    request: RequestKey | None = None,
) -> tuple[Outcome, int]:
    """Puts a stated fact through the gate, and answers after the commit.

    Stated facts are certain (E3).

    Returns:
        What became of it, and the tenant's version after it.

    Raises:
        RequestIdReused: The request's id came with another statement.
        DatabaseUnavailable: Repeat the request under its id.
        Overloaded: Try again.
    """
    proposal = Proposal(
        triple,
        confidence=1.0,
        source=StatementSource.GUTASK,
        principal=principal,
        proposer=principal,
        subject=subject,
        evidence=Evidence(rule="iknowthat"),
    )
    return await memory.writer.submit(Assertion(proposal, request))
