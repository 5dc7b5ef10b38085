"""List statements that the gate finds doubtful as candidates for people."""

from __future__ import annotations

import asyncio

from festinger.core.graph.gate import contradicted
from festinger.core.graph.outcome import Verdict
from festinger.core.provenance.candidates import record_candidate
from festinger.core.validation.routing import (
    CandidatePolicy,
    create_candidate,
)
from festinger.core.world.draft import Draft
from festinger.store.provenance.trail import TrailWrites
from festinger.store.validation.answers import AnswerWrites
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads


async def create_candidates(
    reads: PostgresReads, draft: Draft, batch: Batch, candidate_policy: CandidatePolicy
) -> None:
    """List the candidates of a batch, each statement once."""
    doubtful = [
        entry
        for entry in draft.changes.entries
        if entry.outcome.verdict is Verdict.CANDIDATE
    ]
    if not doubtful:
        return
    batch.of(AnswerWrites).listed = doubtful
    # Under the lock, no other server lists the same before the batch is written.
    waiting = await reads.pending_candidates({entry.triple for entry in doubtful})
    number = await reads.unused("candidate")
    breaker_open = await reads.breaker_until() > draft.now
    for entry in doubtful:
        entry.candidate = waiting.get(entry.triple)
        # It waits already: people are not asked twice about one statement.
        if entry.candidate is not None:
            continue
        # To detect private content takes a millisecond; let prompts be answered.
        await asyncio.sleep(0)
        entry.is_new = True
        candidate = create_candidate(
            entry,
            number,
            contradicts=contradicted(entry.triple, draft),
            candidate_policy=candidate_policy,
            breaker_open=breaker_open,
            now=draft.now,
        )
        candidate = record_candidate(
            batch.of(TrailWrites).trail, candidate, entry.proposal
        )
        entry.candidate = waiting[entry.triple] = candidate
        number += 1
