"""Application of decisions about candidates to the graph.

A statement that is held by a confirmation only is held as the newest decision says,
through the same gate as every fact (I2). One that others state too is left unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.gate import clash
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.resolution import Conflict, ConflictDecision, Settlement
from festinger.core.graph.settled import Ending, Tombstone
from festinger.core.system.printing import printable
from festinger.core.validation.lifecycle import CandidateStanding
from festinger.core.world.draft import Draft

EVIDENCE_CHARACTERS_MAX = 400
_VOTES = "(votes: "


@dataclass(frozen=True, slots=True)
class Enacted:
    """Result of applying a decision.

    Attributes:
        entry: The ledger row of the statement; None if it was not proposed.
        confirmed_as: The ledger row of the confirmation; 0 if there is none.
        ended: Whether the statement's edge or denial was ended.
    """

    entry: LedgerEntry | None = None
    confirmed_as: int = 0
    ended: bool = False


def enact(
    draft: Draft,
    candidate: Candidate,
    standing: CandidateStanding,
    *,
    votes: str,
    shared: bool,
    conflicts: Sequence[Conflict] = (),
) -> Enacted:
    """Apply a decision about a candidate to a draft.

    Args:
        candidate: The candidate before the decision.
        standing: Its state by the decision.
        votes: The votes in words, as evidence if the statement conflicts (I2).
        shared: Whether others have stated it since it was confirmed.
        conflicts: The pending conflicts of its concept.
    """
    was = candidate.state is CandidateState.CONFIRMED
    now = standing.state is CandidateState.CONFIRMED
    mine = was and not shared and _stands_by_it(draft, candidate)
    if standing.decision is None or (
        was and now and not _is_other(draft, candidate, standing, mine)
    ):
        return Enacted(confirmed_as=candidate.confirmed_as)
    if mine:
        draft.take_down(candidate.triple, by=candidate.name)
    if now:
        return _hold(draft, candidate, standing, votes, ended=mine)
    if was and not mine:
        _withdraw(draft, candidate, standing, conflicts)
    if standing.state is CandidateState.REJECTED:
        draft.add_tombstone(candidate.triple, Tombstone(Ending.REJECTED))
    elif candidate.state is CandidateState.REJECTED:
        draft.remove_tombstone(candidate.triple, Ending.REJECTED)
    return Enacted(ended=mine)


def _stands_by_it(draft: Draft, candidate: Candidate) -> bool:
    """Return whether a statement is held by the candidate's confirmation."""
    row = candidate.confirmed_as
    return row != 0 and draft.made_by(candidate.triple) == row


def _is_other(
    draft: Draft, candidate: Candidate, standing: CandidateStanding, mine: bool
) -> bool:
    """Return whether a candidate that stays confirmed must be held differently."""
    if candidate.belief != standing.belief:
        return mine or not candidate.confirmed_as
    edge = draft.held(candidate.triple) if mine else None
    return edge is not None and edge.confidence != standing.confidence


def _hold(
    draft: Draft,
    candidate: Candidate,
    standing: CandidateStanding,
    votes: str,
    ended: bool,
) -> Enacted:
    if standing.belief and candidate.triple.negated:
        # A negated belief is not held in the graph.
        return Enacted(ended=ended)
    entry = draft.propose(
        candidate.confirmed(
            standing.deciders[0], standing.confidence, belief=standing.belief
        )
    )
    if entry.outcome.verdict is Verdict.CONFLICTED:
        evidence = entry.proposal.evidence
        sentence = _with_votes(evidence.sentence, votes)
        entry.proposal = entry.proposal._replace(
            evidence=evidence._replace(sentence=sentence)
        )
    return Enacted(entry, entry.id, ended=ended)


def _withdraw(
    draft: Draft,
    candidate: Candidate,
    standing: CandidateStanding,
    conflicts: Sequence[Conflict],
) -> None:
    """Dismiss the pending conflict of a candidate that is confirmed no more."""
    for conflict in conflicts:
        key = clash(conflict.incoming, draft)
        if (
            conflict.assertion_id == candidate.confirmed_as
            and key is not None
            and draft.queued(key)
        ):
            by = standing.decider or candidate.decider
            reasoning = f"{candidate.name} is {standing.state} by now"
            draft.settle(
                Settlement(key, conflict.id, ConflictDecision.DISMISS, by, reasoning)
            )
            if standing.state is CandidateState.PENDING:
                draft.remove_tombstone(conflict.incoming, Ending.DISMISSED)


def _with_votes(sentence: str, votes: str) -> str:
    """Return a sentence followed by the votes; the sentence is cut to make room."""
    said = printable(f"{_VOTES}{votes})")[:EVIDENCE_CHARACTERS_MAX]
    room = EVIDENCE_CHARACTERS_MAX - len(said) - 1
    return f"{sentence[:room]} {said}".strip() if room > 0 else said


def without_votes(evidence: str) -> str:
    """Return the evidence without the votes, for readers who must not see them (I5)."""
    sentence, votes, _ = evidence.rpartition(_VOTES)
    return sentence.rstrip() if votes else evidence
