"""Propose a candidate explicitly: people are asked, however sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.candidates import Candidate
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.gate import redirected
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.proposal import Proposal
from festinger.core.system.principals import is_same
from festinger.core.world.draft import Draft
from festinger.errors import InvalidArgument
from festinger.services.world.jobs import Job
from festinger.store.world.batches import Batch, CallResult, RequestKey
from festinger.store.world.reads import PostgresReads


@dataclass(frozen=True, slots=True)
class ProposalResult:
    """Result of proposing a candidate.

    Attributes:
        candidate: The candidate; None if the gate decided about the statement otherwise.
        outcome: Outcome of the gate.
        version: The tenant's version after it.
    """

    candidate: Candidate | None
    outcome: Outcome
    version: int


class ProposeCandidate(Job[ProposalResult]):
    """Job that proposes a candidate, idempotently by the external id.

    Args:
        proposal: The statement, which must have a candidacy; it never asserts.
    """

    alone = True

    def __init__(self, proposal: Proposal, request: RequestKey | None = None) -> None:
        super().__init__(request=request)
        assert proposal.candidacy is not None, "a candidate is put forward as one"
        # People are asked however sure it is: nothing may make it a fact at once.
        self._proposal = proposal._replace(asserts=False, decided=False, belief=False)
        self._external_id = proposal.candidacy.external_id
        self._author = proposal.candidacy.author
        self._known: Candidate | None = None
        self._candidate: Candidate | None = None
        self._entry: LedgerEntry | None = None

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The proposed statement as the only one."""
        return (self._proposal,)

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidate with the same external id, if there is one."""
        self._known = None
        # The same external id means the same candidate: a client repeats what it did not hear of.
        if self._external_id:
            self._known = await reads.candidate_by_external_id(self._external_id)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Judge the statement, unless it was proposed before.

        Raises:
            InvalidArgument: Somebody else uses the external id for another statement.
        """
        self._check_name(draft)
        self._entry = None
        if self._known is None:
            # The gate answers "candidate", unless it is held, settled or impossible.
            self._entry = draft.propose(self._proposal)
        known = self._known.id if self._known else 0
        self.remember(batch, self._entry, CallResult(candidate_id=known))

    def _check_name(self, draft: Draft) -> None:
        """Check that no other client uses the external id for another statement."""
        known, mine = self._known, self._proposal
        # The same client may propose it again, even in other words.
        if known is None or (
            is_same(known.proposer, mine.proposer) and known.author == self._author
        ):
            return
        # The statement may have been moved since.
        if known.triple not in (mine.triple, redirected(mine.triple, draft)):
            raise InvalidArgument(
                f"somebody else has put a candidate of the external_id "
                f"{self._external_id[:80]!r} forward: call yours something else",
                field="external_id",
            )

    async def read_back(self, reads: PostgresReads) -> None:
        """Read the candidate as it is written."""
        # A candidate is created after `decide`, by the committer.
        self._candidate = self._known
        if self._entry and self._entry.candidate:
            self._candidate = await reads.candidate(self._entry.candidate.id)

    def answer(self, version: int) -> ProposalResult:
        """Return the candidate, and the outcome of the gate."""
        if self._entry:
            return ProposalResult(self._candidate, self._entry.outcome, version)
        # No judgement, since it is in the queue already.
        assert self._candidate is not None, "what is not judged is known"
        return ProposalResult(self._candidate, _listed(self._candidate), version)

    async def replay(
        self, reads: PostgresReads, answered: CallResult
    ) -> ProposalResult:
        """Return the candidate as it is now, and the first outcome."""
        if answered.candidate_id:
            candidate = await reads.candidate(answered.candidate_id)
            return ProposalResult(candidate, _listed(candidate), answered.version)
        outcome = await reads.outcome(answered.assertion_id)
        number = outcome.candidate_id
        return ProposalResult(
            await reads.candidate(number) if number else None, outcome, answered.version
        )


def _listed(candidate: Candidate) -> Outcome:
    """Return the outcome for a candidate that was proposed before."""
    return Outcome(
        Verdict.CANDIDATE,
        candidate.triple,
        reason=candidate.reason,
        message=f"it was put forward before and is {candidate.state}",
        candidate_id=candidate.id,
    )
