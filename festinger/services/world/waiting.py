"""Pending conflicts that a decision may settle along with its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from festinger.core.graph.gate import clash, judge
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Evidence, Proposal
from festinger.core.graph.resolution import (
    Conflict,
    ConflictDecision,
    ConflictState,
    Settlement,
)
from festinger.core.world.draft import Draft
from festinger.store.world.reads import PostgresReads

# Under the tenant's lock: a concept with more conflicts frees the rest later.
WAITING_MAX = 1000
"""Maximum number of pending conflicts per query that a decision considers."""


@dataclass(frozen=True, slots=True)
class FreedConflicts:
    """Pending conflicts that may be free once a fact ended, oldest first."""

    conflicts: Sequence[Conflict] = ()

    @classmethod
    async def beside(
        cls,
        reads: PostgresReads,
        concepts: Iterable[str],
        reopened: Iterable[Conflict] = (),
    ) -> FreedConflicts:
        """Read the conflicts that may depend on held facts about some concepts.

        Args:
            reopened: Conflicts that are about to be pending again.
        """
        pending = [ConflictState.PENDING]
        # Conflicts that an undo reopens are not pending yet, so that no query finds them.
        found = {conflict.id: conflict for conflict in reopened}
        for concept in set(concepts):
            about = await reads.conflicts(
                states=pending, concept=concept, limit=WAITING_MAX
            )
            found |= {conflict.id: conflict for conflict in about}
        # A statement that closes a cycle may be freed by a fact about any concept.
        circles = await reads.conflicts(states=pending, unmet=True, limit=WAITING_MAX)
        found |= {conflict.id: conflict for conflict in circles}
        # The oldest first: of two that exclude each other, the one stated first is held.
        return cls([found[number] for number in sorted(found)])

    def proposals(self, decider: str) -> list[Proposal]:
        """Return the statements of the conflicts, as the gate judges them."""
        return [as_stated(conflict, decider=decider) for conflict in self.conflicts]

    def release(self, draft: Draft, *, by: str, reasoning: str) -> list[int]:
        """Hold the statements that no longer collide, in the dimensions they have now.

        Returns:
            The numbers of the conflicts that are settled by this.
        """
        settled = []
        for conflict in self.conflicts:
            key = clash(conflict.incoming, draft)
            if key is None or not draft.queued(key):
                continue
            proposal = as_stated(conflict, decider=by)
            if not is_held(judge(proposal, draft).verdict):
                continue
            draft.settle(
                Settlement(key, conflict.id, ConflictDecision.UPDATE, by, reasoning)
            )
            draft.propose(proposal)
            settled.append(conflict.id)
        return settled


def as_stated(conflict: Conflict, *, decider: str) -> Proposal:
    """Return a refused statement as the gate judges it once a person wants it."""
    return Proposal(
        conflict.incoming,
        confidence=conflict.confidence,
        source=conflict.source,
        # Under its author's name, with its own confidence: the decider only lets it through.
        principal=conflict.principal,
        proposer=decider,
        subject=conflict.subject,
        decided=True,
        evidence=Evidence(conflict.evidence, f"conflict {conflict.id}"),
    )


def is_held(verdict: Verdict) -> bool:
    """Return whether a verdict leaves the statement held."""
    return verdict in (Verdict.HELD, Verdict.CORROBORATED)
