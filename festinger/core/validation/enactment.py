"""Application of decisions about candidates to the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.gate import clash
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.resolution import Conflict, ConflictDecision, Settlement
from festinger.core.graph.tombstones import SettledBy, Tombstone
from festinger.core.system.excerpt import printable
from festinger.core.validation.lifecycle import CandidateStanding
from festinger.core.world.draft import Draft

EVIDENCE_CHARACTERS_MAX = 400
_VOTES = "(votes: "


@dataclass(frozen=True, slots=True)
class EnactmentResult:
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
) -> EnactmentResult:
    """Apply a decision about a candidate to a draft.

    Args:
        candidate: The candidate before the decision.
        standing: Its state by the decision.
        votes: The votes in words, as evidence if the statement conflicts (I2).
        shared: Whether others have stated it since it was confirmed.
        conflicts: The pending conflicts of its concept.
    """
    # What stands by this confirmation alone follows the decision; what others state too stays.
    was = candidate.state is CandidateState.CONFIRMED
    now = standing.state is CandidateState.CONFIRMED
    mine = was and not shared and _stands_by_it(draft, candidate)
    # No decision: the breaker is open, and the previous state was kept.
    if standing.decision is None or (
        was and now and not _is_other(draft, candidate, standing, mine)
    ):
        return EnactmentResult(confirmed_as=candidate.confirmed_as)
    # Ended first and held anew, since a changed confidence or belief passes the gate again (I2).
    if mine:
        draft.take_down(candidate.triple, by=candidate.name)
    if now:
        return _hold(draft, candidate, standing, votes, ended=mine)
    # It is not held, so it may wait as a conflict, which is now about nothing.
    if was and not mine:
        _withdraw(draft, candidate, standing, conflicts)
    # A rejection must not come back with the next prompt; without one it may be stated again.
    if standing.state is CandidateState.REJECTED:
        draft.add_tombstone(candidate.triple, Tombstone(SettledBy.REJECTED))
    elif candidate.state is CandidateState.REJECTED:
        draft.remove_tombstone(candidate.triple, SettledBy.REJECTED)
    return EnactmentResult(ended=mine)


def _stands_by_it(draft: Draft, candidate: Candidate) -> bool:
    """Return whether a statement is held by the candidate's confirmation."""
    row = candidate.confirmed_as  # 0: confirmed, but not held, as a negated belief is
    return row != 0 and draft.made_by(candidate.triple) == row


def _is_other(
    draft: Draft, candidate: Candidate, standing: CandidateStanding, mine: bool
) -> bool:
    """Return whether a candidate that stays confirmed must be held differently."""
    # Held by this confirmation, or not yet at all, as a negated belief is.
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
) -> EnactmentResult:
    # A negated belief is not held in the graph: a denial there would be a fact for all.
    if standing.belief and candidate.triple.negated:
        return EnactmentResult(ended=ended)
    # Through the gate like every fact: a confirmed candidate may still collide (I2).
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
    return EnactmentResult(entry, entry.id, ended=ended)


def _withdraw(
    draft: Draft,
    candidate: Candidate,
    standing: CandidateStanding,
    conflicts: Sequence[Conflict],
) -> None:
    """Dismiss the pending conflict of a candidate that is confirmed no more."""
    for conflict in conflicts:
        # The item may be decided or moved meanwhile: look where the statement clashes now.
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
            # Dismissing left a tombstone, but a pending candidate may still be confirmed.
            if standing.state is CandidateState.PENDING:
                draft.remove_tombstone(conflict.incoming, SettledBy.DISMISSED)


def _with_votes(sentence: str, votes: str) -> str:
    """Return a sentence followed by the votes; the sentence is cut to make room."""
    # Votes first, cut if need be: the sentence can be read elsewhere.
    said = printable(f"{_VOTES}{votes})")[:EVIDENCE_CHARACTERS_MAX]
    room = EVIDENCE_CHARACTERS_MAX - len(said) - 1
    return f"{sentence[:room]} {said}".strip() if room > 0 else said


def without_votes(evidence: str) -> str:
    """Return the evidence without the votes, for readers who must not see them (I5)."""
    # From the right, since the sentence itself may contain "(votes: ".
    sentence, votes, _ = evidence.rpartition(_VOTES)
    return sentence.rstrip() if votes else evidence
