"""Undo decisions about conflicts."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.graph.proposal import Proposal
from festinger.core.graph.resolution import Conflict, ReopenedItem
from festinger.core.world.draft import Draft
from festinger.core.world.undoing import Effects, take_back
from festinger.errors import CannotUndo, ConflictNotSettled
from festinger.services.graph.resolving import AboutConflict
from festinger.services.world.waiting import FreedConflicts
from festinger.store.world.batches import Batch, CallResult
from festinger.store.world.reads import PostgresReads


class Undoing(AboutConflict):
    """Undo of a decision: the state before it is restored."""

    _effects: Effects | None = None

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that the undo may put through the gate."""
        return self._waiting.proposals(self.principal)

    async def load(self, reads: PostgresReads) -> None:
        """Read the conflict, its decision's effects and the conflicts it may free."""
        self._conflict = await reads.conflict(self.conflict_id)
        # None for conflicts that another decision settled along with its own.
        self._effects = await reads.effects(self.conflict_id)
        # One decision may have settled several: each is pending again afterwards.
        settled = self._effects.settled.values() if self._effects else ()
        reopened = [await reads.conflict(number) for number in settled]
        concepts = [each.incoming.concept for each in reopened]
        self._waiting = await FreedConflicts.beside(reads, concepts, reopened)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Restore in the draft what the decision changed.

        Raises:
            ConflictNotSettled: The conflict is pending.
            EtagMismatch: The conflict changed since it was read.
            CannotUndo: The effects of its decision were changed since, or are unknown.
        """
        conflict = self.conflict
        effects = self._check(conflict)
        by = f"undo of conflict {conflict.id}"
        # Refuses if something else changed the same places since.
        take_back(effects, draft, by=by)
        # After `take_back`, which refuses where a statement waits in the queue again.
        for key, number in effects.settled.items():
            draft.reopen(
                ReopenedItem(
                    key,
                    number,
                    self.principal,
                    self.reasoning,
                    # Conflicts that were settled along with it had no decision.
                    for_people=number == conflict.id,
                )
            )
        self._waiting.release(draft, by=self.principal, reasoning=f"agrees with {by}")
        self.remember(batch, None, CallResult(conflict_id=conflict.id))

    def _check(self, conflict: Conflict) -> Effects:
        named = {"conflict_id": str(conflict.id)}
        if conflict.decided is None:
            raise ConflictNotSettled(
                f"conflict #{conflict.id} is pending: there is nothing to take back",
                **named,
            )
        # After the check above, whose message tells a late caller more.
        self._check_etag()
        if self._effects is None:
            raise CannotUndo(
                f"conflict #{conflict.id} was settled by the way, when "
                f"{conflict.decided.principal} changed something else "
                f"({conflict.decided.reasoning or 'before decisions were kept'}): undo "
                "that, or take the fact back with gutask forget",
                **named,
            )
        return self._effects
