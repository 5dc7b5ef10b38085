"""Assert a fact."""

from __future__ import annotations

from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple
from festinger.services.world.jobs import Assertion
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.world.batches import RequestKey


async def assert_fact(
    memory: TenantMemory,
    triple: Triple,
    *,
    principal: str,
    subject: str = "",
    request: RequestKey | None = None,
) -> tuple[Outcome, int]:
    """Judge a stated fact; return the outcome, and the version, after the commit."""
    proposal = as_said(triple, principal=principal, subject=subject)
    return await memory.writer.submit(Assertion(proposal, request))


def as_said(triple: Triple, *, principal: str, subject: str = "") -> Proposal:
    """Return a fact as somebody states it."""
    return Proposal(
        triple,
        # Stated outright, hence certain (E3).
        confidence=1.0,
        source=StatementSource.GUTASK,
        # The principal corroborates (C3), the proposer may not approve (E6): here both are one.
        principal=principal,
        proposer=principal,
        subject=subject,
        evidence=Evidence(rule="iknowthat"),
    )
