"""A decision about a conflict is taken back."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.draft import Draft
from festinger.core.proposal import Proposal
from festinger.core.resolution import Conflict, Reopening
from festinger.core.undoing import Effects, take_back
from festinger.errors import CannotUndo, ConflictNotSettled, EtagMismatch
from festinger.flows.jobs import Job
from festinger.flows.ports import Answered, Batch, Committed, Reads, RequestKey
from festinger.flows.waiting import Waiting


class Undoing(Job[tuple[Conflict, int]]):
    """Takes a decision back: what was there before it is there again.

    What waits beside it and collides no more is held, as whenever something ends.

    Args:
        etag: The conflict as the caller read it; empty if they do not care.
    """

    alone = True

    def __init__(
        self,
        conflict_id: int,
        *,
        principal: str,
        reasoning: str,
        etag: str,
        request: RequestKey | None,
    ) -> None:
        super().__init__(request)
        self._conflict_id = conflict_id
        self._principal = principal
        self._reasoning = reasoning
        self._etag = etag
        self._conflict: Conflict | None = None
        self._effects: Effects | None = None
        self._waiting = Waiting()

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that it may put through the gate."""
        return self._waiting.proposals(self._principal)

    async def load(self, reads: Reads) -> None:
        """Reads the conflict, what its decision did, and what waits beside it."""
        self._conflict = await reads.conflict(self._conflict_id)
        self._effects = await reads.effects(self._conflict_id)
        self._waiting = await Waiting.beside(reads, self._conflict.incoming)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Brings the draft to what was there before.

        Raises:
            ConflictNotSettled: It is pending.
            EtagMismatch: It changed since it was read.
            CannotUndo: What its decision did was changed since, or is not known.
        """
        conflict = self._conflict
        assert conflict is not None, "a decision follows a load"
        effects = self._check(conflict)
        by = f"undo of conflict {conflict.id}"
        take_back(effects, draft, by=by)
        for key, number in effects.settled.items():
            draft.reopen(
                Reopening(
                    key,
                    number,
                    self._principal,
                    self._reasoning,
                    # What was settled along with it was nobody's decision.
                    for_people=number == conflict.id,
                )
            )
        self._waiting.settle_agreed(
            draft, conflict.incoming, by=self._principal, reasoning=f"agrees with {by}"
        )
        self.remember(batch, None, Answered(conflict_id=conflict.id))

    async def read_back(self, reads: Reads) -> None:
        """Reads the conflict as it is now."""
        self._conflict = await reads.conflict(self._conflict_id)

    def answer(self, committed: Committed) -> tuple[Conflict, int]:
        """The conflict as it is now, and the version after it."""
        assert self._conflict is not None, "an answer follows a decision"
        return self._conflict, committed.version

    async def replay(self, reads: Reads, answered: Answered) -> tuple[Conflict, int]:
        """The conflict as it is now."""
        return await reads.conflict(answered.conflict_id), answered.version

    def _check(self, conflict: Conflict) -> Effects:
        named = {"conflict_id": str(conflict.id)}
        if conflict.decided is None:
            raise ConflictNotSettled(
                f"conflict #{conflict.id} is pending: there is nothing to take back",
                **named,
            )
        if self._etag and self._etag != conflict.etag:
            raise EtagMismatch(
                f"conflict #{conflict.id} changed since it was read; read it again",
                **named,
            )
        if self._effects is None:
            raise CannotUndo(
                f"conflict #{conflict.id} was settled by the way, when "
                f"{conflict.decided.principal} changed something else "
                f"({conflict.decided.reasoning or 'before decisions were kept'}): undo "
                "that, or take the fact back with gutask forget",
                **named,
            )
        return self._effects
