"""What waits in the resolution queue beside a decision, and may be settled with it."""

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

WAITING_MAX = 1000
"""Conflicts about one concept, and about others, that a decision looks at, at most."""


@dataclass(frozen=True, slots=True)
class FreedConflicts:
    """The conflicts that may be free once something ended, oldest first."""

    conflicts: Sequence[Conflict] = ()

    @classmethod
    async def beside(
        cls,
        reads: PostgresReads,
        concepts: Iterable[str],
        reopened: Iterable[Conflict] = (),
    ) -> FreedConflicts:
        """Reads what may wait for something to end that is held of these concepts.

        Args:
            reopened: What is going to wait as well.
        """
        pending = [ConflictState.PENDING]
        found = {conflict.id: conflict for conflict in reopened}
        for concept in set(concepts):
            about = await reads.conflicts(
                states=pending, concept=concept, limit=WAITING_MAX
            )
            found |= {conflict.id: conflict for conflict in about}
        # A circle ends with a fact about any concept, whatever the statement met once.
        circles = await reads.conflicts(states=pending, unmet=True, limit=WAITING_MAX)
        found |= {conflict.id: conflict for conflict in circles}
        return cls([found[number] for number in sorted(found)])

    def proposals(self, decider: str) -> list[Proposal]:
        """Their statements, as they go through the gate."""
        return [as_stated(conflict, decider=decider) for conflict in self.conflicts]

    def release(self, draft: Draft, *, by: str, reasoning: str) -> list[int]:
        """Holds what collides no more, wherever decisions moved it.

        Returns:
            The numbers of the conflicts that are settled by that.
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
    """A refused statement as it goes through the gate once a person wants it."""
    return Proposal(
        conflict.incoming,
        confidence=conflict.confidence,
        source=conflict.source,
        principal=conflict.principal,
        proposer=decider,
        subject=conflict.subject,
        decided=True,
        evidence=Evidence(conflict.evidence, f"conflict {conflict.id}"),
    )


def is_held(verdict: Verdict) -> bool:
    """Whether a statement stands after the gate."""
    return verdict in (Verdict.HELD, Verdict.CORROBORATED)
