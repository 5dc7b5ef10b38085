"""How claims are changed in a batch: every step is written, and logged as an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from festinger.core.review import transitions
from festinger.core.review.claims import Claim, ClaimEdit
from festinger.core.review.queue import Cycle, fill
from festinger.core.review.ranking import CYCLE_MAX
from festinger.core.review.steps import ClaimStep
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads

SELF = "festinger"
"""Who refills the queue."""


@dataclass(slots=True)
class ReviewQueue:
    """The cycle of reviews, and what waits for the next one."""

    cycle: Cycle = field(default_factory=Cycle)
    overflow: Sequence[Claim] = ()

    @classmethod
    async def read(cls, reads: PostgresReads) -> ReviewQueue:
        """Reads both."""
        return cls(await reads.cycle(), await reads.overflow(CYCLE_MAX))


@dataclass
class Editing:
    """Adds steps to a batch.

    Args:
        next_edit: The first number of an edit that nobody has.
        now: Seconds since the epoch.
    """

    batch: Batch
    principal: str
    next_edit: int
    now: float
    steps: list[ClaimStep] = field(default_factory=list)

    def current(self, claim: Claim) -> Claim:
        """A claim as the batch has it by now."""
        return self.batch.claims.written.get(claim.id, claim)

    def write(self, claim: Claim) -> None:
        """Writes a claim without a word in the log."""
        self.batch.claims.written[claim.id] = claim

    def apply(
        self, steps: Sequence[ClaimStep], *, principal: str = ""
    ) -> list[ClaimEdit]:
        """Writes the steps of one decision, which is taken back as one.

        Args:
            principal: Who did it, if it is somebody else than usual.
        """
        decision = self.next_edit
        return [self._apply(step, decision, principal) for step in steps]

    def _apply(self, step: ClaimStep, decision: int, principal: str) -> ClaimEdit:
        changes = self.batch.claims
        if step.after is None:
            changes.written.pop(step.claim.id, None)
            changes.deleted.add(step.claim.id)
        else:
            changes.deleted.discard(step.claim.id)
            changes.written[step.claim.id] = step.after
        edit = ClaimEdit(
            self.next_edit,
            step.claim.id,
            step.action,
            principal or self.principal,
            decision,
            step.before,
            step.after,
            created_at=self.now,
        )
        self.next_edit += 1
        changes.edits.append(edit)
        self.steps.append(step)
        return edit

    def refill(self, queue: ReviewQueue) -> None:
        """Begins the next cycle, if these steps ended the one of now."""
        cycle = queue.cycle.after((step.before, step.after) for step in self.steps)
        if cycle.is_over and not queue.cycle.is_over:
            self.let_in(cycle, *fill(cycle, queue.overflow)[:2])

    def let_in(self, old: Cycle, cycle: Cycle, claims: Sequence[Claim]) -> None:
        """Moves claims up from the overflow, and keeps how the cycle stands."""
        for claim in claims:
            step = transitions.refill(claim, cycle.number, now=self.now)
            self.apply([step], principal=SELF)
        if (cycle.number, cycle.written) != (old.number, old.written):
            self.batch.claims.cycle = (cycle.number, cycle.written)
