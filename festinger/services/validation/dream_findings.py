"""Judge what was found about a candidate, and complete its backlog item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from festinger.core.graph.proposal import (
    CandidateDetails,
    Evidence,
    Proposal,
    StatementSource,
    Triple,
)
from festinger.core.system.retries import ERROR_CHARACTERS_MAX, backoff
from festinger.core.validation.backlog import ATTEMPTS_MAX, BacklogItem, BacklogResult
from festinger.core.validation.weighing import TripleCheck, judged
from festinger.core.world.draft import Draft
from festinger.services.world.jobs import Job
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.validation.backlog import BacklogWrites
from festinger.store.validation.records import CompletedItem
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads

# Between the floors of candidates and of facts (E2): people decide.
WORKER_CONFIDENCE = 0.5
"""Confidence of statements of external workers, about which people decide."""


class ProposeDreamt(Job[Sequence[BacklogResult] | None]):
    """Job that proposes findings and completes the item, in one transaction.

    Args:
        weighed: The findings, with a proposal for each that is to be judged.
        dream_run: Number of the night in which it is done; 0 for an external worker.
    """

    def __init__(
        self, item: BacklogItem, weighed: Sequence[TripleCheck], dream_run: int = 0
    ) -> None:
        super().__init__()
        self._item = item
        self._weighed = weighed
        self._night = dream_run
        self._leased = False
        self._findings: list[BacklogResult] = []

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that may be judged."""
        return [each.proposal for each in self._weighed if each.proposal]

    async def load(self, reads: PostgresReads) -> None:
        """Check that the lease is still held."""
        lease = self._item.lease
        assert lease is not None, "who looks into an item has the lease"
        # Under the lock: the item may have been leased again while the model thought.
        self._leased = await reads.is_dreaming(self._item.id, lease)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Judge each statement."""
        # `decide` may run again after a lost race.
        self._findings = []
        lease = self._item.lease
        # Another worker handles the item, or has done so.
        if not self._leased or lease is None:
            return
        for each in self._weighed:
            finding = each.finding
            if each.proposal:
                outcome = draft.propose(each.proposal).outcome
                finding = judged(finding, outcome.verdict, outcome.reason)
            self._findings.append(finding)
        batch.of(BacklogWrites).dreamt.append(
            CompletedItem(self._item.id, lease, self._findings, self._night)
        )

    def answer(self, version: int) -> Sequence[BacklogResult] | None:
        """Return the finding for each statement; None if the lease was lost."""
        return self._findings if self._leased else None


async def by_worker(
    memory: TenantMemory,
    item: BacklogItem,
    lease: UUID,
    triples: Sequence[Triple],
    worker: str,
) -> bool:
    """Complete an item of an external worker; return False if the lease was lost."""
    async with memory.store.reading(memory.tenant) as reads:
        candidate = await reads.candidate(item.candidate_id)
    weighed = [
        TripleCheck(
            Proposal(
                triple,
                confidence=WORKER_CONFIDENCE,
                source=StatementSource.DREAMING,
                principal=worker,
                proposer=worker,
                subject=candidate.subject,
                # The server has not seen what the worker grounded its findings in.
                asserts=False,
                evidence=Evidence(candidate.evidence, "worker"),
                candidacy=CandidateDetails(
                    author=candidate.author,
                    chunk_id=candidate.chunk_id,
                    extractor_version=f"worker:{worker}",
                    justification=f"found by looking into candidate {candidate.id}",
                ),
            ),
            BacklogResult(str(triple), ""),
        )
        for triple in triples
    ]
    found = await memory.writer.submit(
        ProposeDreamt(replace(item, lease=lease), weighed)
    )
    return found is not None


def failed(item: BacklogItem, why: str, now: float) -> BacklogItem:
    """Return an item set back after an external worker failed on it."""
    attempts = item.attempts + 1
    # None gives up; before that, each pause is longer.
    due = None if attempts >= ATTEMPTS_MAX else now + backoff(attempts)
    return item.set_back(why[:ERROR_CHARACTERS_MAX], attempts, due, now)
