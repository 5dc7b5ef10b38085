"""What a model said about a concept goes through the gate, and the asking is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from festinger.core.definition import Weighed
from festinger.core.draft import Draft
from festinger.core.inquiry import Finding, Inquiry
from festinger.core.outcome import Outcome
from festinger.core.proposal import Proposal
from festinger.flows.batches import Batch, Committed, Learned
from festinger.flows.jobs import Job
from festinger.flows.ports import Reads


class Learning(Job[Sequence[Finding]]):
    """Proposes what a model said, and ends its inquiry, in one transaction.

    Whoever has lost the lease changes nothing: another one asks, or has asked.
    """

    def __init__(self, inquiry: Inquiry, weighed: Sequence[Weighed]) -> None:
        super().__init__()
        self._inquiry = inquiry
        self._weighed = weighed
        self._leased = False
        self._findings: list[Finding] = []

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that are grounded well enough for the gate."""
        return [each.proposal for each in self._weighed if each.proposal]

    async def load(self, reads: Reads) -> None:
        """Looks whether the inquiry is still ours."""
        lease = self._inquiry.lease
        assert lease is not None, "who asks has the lease"
        self._leased = await reads.is_leased(self._inquiry.concept_id, lease)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Puts each statement through the gate."""
        self._findings = []
        lease = self._inquiry.lease
        if not self._leased or lease is None:
            return
        for each in self._weighed:
            finding = each.finding
            if each.proposal:
                outcome = draft.propose(each.proposal).outcome
                finding = _found(finding, outcome)
            self._findings.append(finding)
        learned = Learned(self._inquiry.concept_id, lease, self._findings)
        batch.learned.append(learned)

    def answer(self, committed: Committed) -> Sequence[Finding]:
        """What became of each statement; nothing if the inquiry is another's."""
        return self._findings


def _found(finding: Finding, outcome: Outcome) -> Finding:
    return replace(finding, outcome=outcome.verdict.value, reason=outcome.reason)
