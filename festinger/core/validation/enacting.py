"""A decision about a candidate becomes knowledge, or ceases to be it.

What stands by a confirmation is held exactly as the newest decision says, through the
same gate as every fact (I2). Whatever somebody else stands for as well is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.candidates import Factoid, FactoidState
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
    """What came of a decision.

    Attributes:
        entry: The statement as the gate judged it; None if it was not asked.
        confirmed_as: The row of the ledger that stands for the confirmation; 0 for none.
        ended: Whether something is held no more.
    """

    entry: LedgerEntry | None = None
    confirmed_as: int = 0
    ended: bool = False


def enact(
    draft: Draft,
    factoid: Factoid,
    standing: CandidateStanding,
    *,
    votes: str,
    shared: bool,
    conflicts: Sequence[Conflict] = (),
) -> Enacted:
    """Brings what is held to what was decided.

    Args:
        factoid: As it stood before.
        votes: In words, as the evidence of a statement that collides (I2).
        shared: Whether others have stated it since it was confirmed.
        conflicts: What waits about its concept.
    """
    was = factoid.state is FactoidState.CONFIRMED
    now = standing.state is FactoidState.CONFIRMED
    mine = was and not shared and _stands_by_it(draft, factoid)
    if standing.decision is None or (
        was and now and not _is_other(draft, factoid, standing, mine)
    ):
        return Enacted(confirmed_as=factoid.confirmed_as)
    if mine:
        draft.take_down(factoid.triple, by=factoid.name)
    if now:
        return _hold(draft, factoid, standing, votes, ended=mine)
    if was and not mine:
        _withdraw(draft, factoid, standing, conflicts)
    if standing.state is FactoidState.REJECTED:
        draft.bury(factoid.triple, Tombstone(Ending.REJECTED))
    elif factoid.state is FactoidState.REJECTED:
        draft.exhume(factoid.triple, Ending.REJECTED)
    return Enacted(ended=mine)


def _stands_by_it(draft: Draft, factoid: Factoid) -> bool:
    """Whether the candidate's confirmation is what a statement is held by."""
    row = factoid.confirmed_as
    return row != 0 and draft.made_by(factoid.triple) == row


def _is_other(
    draft: Draft, factoid: Factoid, standing: CandidateStanding, mine: bool
) -> bool:
    """Whether a candidate that stays confirmed is to be held otherwise."""
    if factoid.belief != standing.belief:
        return mine or not factoid.confirmed_as
    edge = draft.held(factoid.triple) if mine else None
    return edge is not None and edge.confidence != standing.confidence


def _hold(
    draft: Draft, factoid: Factoid, standing: CandidateStanding, votes: str, ended: bool
) -> Enacted:
    if standing.belief and factoid.triple.negated:
        # That somebody does not believe something is no fact of the graph.
        return Enacted(ended=ended)
    entry = draft.propose(
        factoid.confirmed(
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
    factoid: Factoid,
    standing: CandidateStanding,
    conflicts: Sequence[Conflict],
) -> None:
    """Takes a statement that only waits in the queue out of it."""
    for conflict in conflicts:
        key = clash(conflict.incoming, draft)
        if (
            conflict.assertion_id == factoid.confirmed_as
            and key is not None
            and draft.queued(key)
        ):
            by = standing.decider or factoid.decider
            reasoning = f"{factoid.name} is {standing.state} by now"
            draft.settle(
                Settlement(key, conflict.id, ConflictDecision.DISMISS, by, reasoning)
            )
            if standing.state is FactoidState.PENDING:
                draft.exhume(conflict.incoming, Ending.DISMISSED)


def _with_votes(sentence: str, votes: str) -> str:
    """A sentence with the votes behind it, which may not be cut off."""
    said = printable(f"{_VOTES}{votes})")[:EVIDENCE_CHARACTERS_MAX]
    room = EVIDENCE_CHARACTERS_MAX - len(said) - 1
    return f"{sentence[:room]} {said}".strip() if room > 0 else said


def without_votes(evidence: str) -> str:
    """The sentence that a statement stood in, for whoever may not know the votes (I5)."""
    sentence, votes, _ = evidence.rpartition(_VOTES)
    return sentence.rstrip() if votes else evidence
