"""What waits in the resolution queue beside a decision, and may be settled with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.draft import Draft
from festinger.core.gate import clash, judge
from festinger.core.outcome import CollisionType, Verdict
from festinger.core.proposal import Evidence, Proposal, Triple
from festinger.core.resolution import Conflict, ConflictState, Decision, Settlement
from festinger.flows.ports import Reads

WAITING_MAX = 1000
"""Conflicts about one concept, and circles, that a decision looks at, at most."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The pending conflicts that a fact may keep waiting, oldest first.

    Those about its concept, and circles in its dimension, which it may be a part of.
    """

    conflicts: Sequence[Conflict] = ()

    @classmethod
    async def beside(cls, reads: Reads, triple: Triple) -> Waiting:
        """Reads what may wait for a statement to end."""
        pending = [ConflictState.PENDING]
        about = await reads.conflicts(
            states=pending, concept=triple.concept, limit=WAITING_MAX
        )
        circles = await reads.conflicts(
            states=pending,
            dimension=triple.dimension,
            type=CollisionType.CYCLE,
            limit=WAITING_MAX,
        )
        found = {conflict.id: conflict for conflict in (*about, *circles)}
        return cls([found[number] for number in sorted(found)])

    def proposals(self, decider: str) -> list[Proposal]:
        """Their statements, as they go through the gate."""
        return [as_stated(conflict, decider=decider) for conflict in self.conflicts]

    def settle_agreed(
        self, draft: Draft, triple: Triple, *, by: str, reasoning: str
    ) -> list[int]:
        """Holds what collides no more in the dimension of a statement that ended.

        Returns:
            The numbers of the conflicts that are settled by that.
        """
        settled = []
        for conflict in self.conflicts:
            key = clash(conflict.incoming, draft)
            if conflict.incoming.dimension != triple.dimension or key is None:
                continue
            proposal = as_stated(conflict, decider=by)
            if not draft.queued(key) or judge(proposal, draft).collision:
                continue
            draft.settle(Settlement(key, conflict.id, Decision.UPDATE, by, reasoning))
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
