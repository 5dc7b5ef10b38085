"""State a fact, or retract one (C5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

from festinger.core.graph.changes import Retraction
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple
from festinger.core.world.draft import Draft
from festinger.services.world.jobs import Assertion, Job
from festinger.services.world.tenant_memory import TenantMemory
from festinger.services.world.waiting import FreedConflicts
from festinger.store.world.batches import Batch, CallResult, RequestKey
from festinger.store.world.reads import PostgresReads


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


@dataclass(frozen=True, slots=True)
class Retracted:
    """Result of a retraction.

    Attributes:
        settled: Numbers of the conflicts whose statements were freed and are held now.
        version: The tenant's version after it.
    """

    retraction: Retraction
    settled: Sequence[int]
    version: int


@dataclass(eq=False)
class Forgetting(Job[Retracted]):
    """Job that retracts a fact or denial and judges the statements it blocked again."""

    # It raises if the fact is not held, which must not fail the jobs of others.
    alone = True

    triple: Triple
    _: KW_ONLY
    principal: str
    subject: str
    why: str
    _waiting: FreedConflicts = field(default_factory=FreedConflicts, init=False)
    _retraction: Retraction | None = field(default=None, init=False)
    _settled: list[int] = field(default_factory=list, init=False)

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that may be held in its place."""
        return self._waiting.proposals(self.principal)

    async def load(self, reads: PostgresReads) -> None:
        """Read the conflicts that may wait for the retraction."""
        # Only statements about this concept, or that close a circle, can be freed by it.
        self._waiting = await FreedConflicts.beside(reads, [self.triple.concept])

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Retract the fact, and hold what it kept out. Raises `FactNotHeld`."""
        # Leaves a tombstone: machines that state it again are refused (C5).
        self._retraction = draft.retract(
            self.triple, principal=self.principal, subject=self.subject, why=self.why
        )
        self._settled = self._waiting.release(
            draft,
            by=self.principal,
            reasoning=f"free since retraction {self._retraction.id}",
        )
        # A repeated request is answered from these numbers instead of retracting again.
        answered = CallResult(
            assertion_id=self._retraction.id, settled=tuple(self._settled)
        )
        self.remember(batch, None, answered)

    def answer(self, version: int) -> Retracted:
        """Return the retraction, and the conflicts that it settled."""
        assert self._retraction is not None, "an answer follows a decision"
        return Retracted(self._retraction, self._settled, version)

    async def replay(self, reads: PostgresReads, answered: CallResult) -> Retracted:
        """Return the retraction from the ledger."""
        retraction = await reads.retraction(answered.assertion_id)
        return Retracted(retraction, answered.settled, answered.version)


async def retract_fact(
    memory: TenantMemory,
    triple: Triple,
    *,
    principal: str,
    subject: str = "",
    why: str = "",
    request: RequestKey | None = None,
) -> Retracted:
    """Retract a fact and return the result after the commit. Raises `FactNotHeld`."""
    return await memory.writer.submit(
        Forgetting(
            triple, principal=principal, subject=subject, why=why, request=request
        )
    )
