"""Revise what votes confirmed, after their weights were learnt anew (I5)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.validation.lifecycle import revise
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.reputation import Reputations
from festinger.core.validation.votes import ValidationEvent
from festinger.core.world.draft import Draft
from festinger.services.validation.cases import CandidateCase
from festinger.services.world.jobs import Job
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.validation.learning import PostgresLessons
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads

CHANGED_MAX = 20
"""Maximum number of candidates that one transaction changes, since others wait for it."""
REVISER = "revision"
"""Who releases conflicts with what is held no more."""


class RevisionResult(NamedTuple):
    """Number of candidates that a revision changed.

    Attributes:
        withdrawn: Those that are held no more.
        restored: Those that are held again.
    """

    withdrawn: int = 0
    restored: int = 0


@dataclass(eq=False)
class ReviseCandidates(Job[RevisionResult]):
    """Job that decides about some candidates again, by the reputations of now."""

    alone = True

    numbers: Sequence[int]
    policy: ValidationPolicy
    _cases: list[CandidateCase] = field(default_factory=list, init=False)
    _revised: RevisionResult = field(default_factory=RevisionResult, init=False)

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements as confirmed by their voters, and statements they may free."""
        return [each for case in self._cases for each in case.proposals(REVISER)]

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidates, with all that a decision about them depends on."""
        # Read once: all cases of a transaction are weighed by the same reputations.
        rated = await reads.rated()
        candidates = [await reads.candidate(number) for number in self.numbers]
        # As they are by now, so that repeating an interrupted revision changes nothing.
        self._cases = [await CandidateCase.read(reads, it, rated) for it in candidates]

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Take back what lost its grounds, and hold what has them again."""
        # Two candidates of one statement must not both become pending in this batch.
        pending: set[Triple] = set()
        withdrawn = restored = 0
        for case in self._cases:
            candidate = case.candidate
            standing = revise(candidate, case.events, case.rated.reputations)
            if standing is None:
                continue
            if standing.state is CandidateState.PENDING:
                case.is_pending_anew |= candidate.triple in pending
                pending.add(candidate.triple)
                # Its old deadline may be over, and moderators need time for it.
                case.candidate = self._reopened(candidate, draft.now)
                withdrawn += 1
            else:
                restored += 1
            case.decide(standing, draft, batch, by=REVISER)
        self._revised = RevisionResult(withdrawn, restored)

    def answer(self, version: int) -> RevisionResult:
        """Return how many were changed."""
        return self._revised

    def _reopened(self, candidate: Candidate, now: float) -> Candidate:
        """Return a candidate with a new deadline, if it had one."""
        if candidate.expires is None:
            return candidate
        expires = now + self.policy.ttl_seconds[candidate.priority]
        # Never earlier than the deadline that people were told.
        return replace(candidate, expires=max(candidate.expires, expires))


async def revise_all(
    memory: TenantMemory, lessons: PostgresLessons, fitted: float
) -> RevisionResult:
    """Revise all candidates of a memory, and record that it is done.

    Args:
        fitted: The time of the learning after which it is done, in epoch seconds.
    """
    # A first look without the lock, since few of many candidates change.
    async with memory.store.reading(memory.tenant) as reads:
        reputations = (await reads.rated()).reputations
    policy = memory.validation.policy
    withdrawn = restored = 0
    async for page in lessons.revisable(memory.tenant):
        # In a thread, it does not block prompts.
        numbers = await asyncio.to_thread(_changed, page, reputations)
        # In parts, since other statements wait for the transaction.
        for at in range(0, len(numbers), CHANGED_MAX):
            job = ReviseCandidates(numbers[at : at + CHANGED_MAX], policy)
            revised = await memory.writer.submit(job)
            withdrawn += revised.withdrawn
            restored += revised.restored
    # Last: an interrupted revision is done again from the start.
    await lessons.set_revised(memory.tenant, fitted)
    return RevisionResult(withdrawn, restored)


def _changed(
    page: Sequence[tuple[Candidate, list[ValidationEvent]]], reputations: Reputations
) -> list[int]:
    """Return the numbers of the candidates that a revision changes."""
    return [
        candidate.id
        for candidate, events in page
        if revise(candidate, events, reputations) is not None
    ]
