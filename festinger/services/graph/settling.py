"""Base class of decisions about conflicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from festinger.core.graph.resolution import Conflict
from festinger.errors import EtagMismatch
from festinger.services.world.jobs import Job
from festinger.services.world.waiting import FreedConflicts

if TYPE_CHECKING:
    from festinger.store.world.batches import CallResult, RequestKey
    from festinger.store.world.reads import PostgresReads


class AboutConflict(Job[tuple[Conflict, int]]):
    """A decision about a conflict, which returns the conflict and the version.

    Args:
        etag: Etag of the conflict as the caller read it; empty to skip the check.
    """

    # A refused decision raises, and must not fail the jobs of others.
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
        self._waiting = FreedConflicts()

    @property
    def conflict(self) -> Conflict:
        """The conflict, after `load`."""
        assert self._conflict is not None, "a decision follows a load"
        return self._conflict

    async def load(self, reads: PostgresReads) -> None:
        """Read the conflict, and the pending conflicts that it may free."""
        # Under the lock: nobody can settle the conflict between this and the decision.
        self._conflict = await reads.conflict(self._conflict_id)
        # Ending a fact may free other statements about the same concept.
        self._waiting = await FreedConflicts.beside(
            reads, [self._conflict.incoming.concept]
        )

    async def read_back(self, reads: PostgresReads) -> None:
        """Read the conflict as it is after the decision."""
        self._conflict = await reads.conflict(self._conflict_id)

    def answer(self, version: int) -> tuple[Conflict, int]:
        """Return the conflict as it is now, and the tenant's version after it."""
        return self.conflict, version

    async def replay(
        self, reads: PostgresReads, answered: CallResult
    ) -> tuple[Conflict, int]:
        """Return the conflict as it is now, and the version of the first answer."""
        # The conflict may have changed since the first answer; the version tells which it was.
        return await reads.conflict(answered.conflict_id), answered.version

    def _check_etag(self) -> None:
        if self._etag and self._etag != self.conflict.etag:
            raise EtagMismatch(
                f"conflict #{self._conflict_id} changed since it was read; read it again",
                conflict_id=str(self._conflict_id),
            )
