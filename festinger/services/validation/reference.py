"""References to candidates by any of their names."""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.graph.candidates import Candidate
from festinger.errors import CandidateNotFound, InvalidArgument
from festinger.store.world.reads import PostgresReads


class CandidateReference(NamedTuple):
    """Reference to a candidate by exactly one of its names.

    Attributes:
        candidate_id: Number of the candidate; 0 if not given.
        cid: Content id of the candidate; empty if not given.
        external_id: The client's own id for it; empty if not given.
    """

    candidate_id: int = 0
    cid: str = ""
    external_id: str = ""

    async def read(self, reads: PostgresReads) -> Candidate:
        """Return the candidate. Raises `InvalidArgument` or `CandidateNotFound`."""
        if self.candidate_id:
            return await reads.candidate(self.candidate_id)
        if self.cid:
            return await reads.candidate_by_cid(self.cid)
        if not self.external_id:
            raise InvalidArgument(
                "name the candidate by its candidate_id, its candidate_cid or your own "
                "external_id",
                field="candidate_id",
            )
        found = await reads.candidate_by_external_id(self.external_id)
        if found is None:
            raise CandidateNotFound(
                f"there is no candidate of the external_id {self.external_id[:80]!r}",
                external_id=self.external_id[:80],
            )
        return found
