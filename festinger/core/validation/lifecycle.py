"""Lifecycle of candidates: the state follows from all answers, in any order.

                     ┌──────────── answers ───────────▶ confirmed  held
                     │                                       ⇅
    pending ─────────┼── author against the community ▶ belief     held, flagged
       │             │                                       ⇅
       │             └──────────── answers ───────────▶ rejected   not held
       └──────────────────── timeout ─────────────────▶ expired    not held

`MOVES` says who may move a candidate between which states; `move` is the only way to do it.
Answers are given or withdrawn until the timeout (I4a). Each time the decision is made
anew from all answers, so a candidate may return to an earlier state. Rejected and
expired candidates wait for dreaming.

Votes decide with the weights of the last night. Accounts that lie about much on one day
are found out in the next night, when what they confirmed is held already. So after each
learning all confirmations by votes are looked at again (`revise`, I5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from festinger.core.graph.candidates import (
    WEIGHED_ANEW,
    Candidate,
    CandidateState,
    Lane,
    Priority,
)
from festinger.core.validation.decision import (
    CandidateDecision,
    CandidateVerdict,
    DecisionRule,
    decide,
)
from festinger.core.validation.reputation import Reputations
from festinger.core.validation.votes import (
    ValidationEvent,
    Vote,
    VoteAnswer,
    VoterRole,
    last_votes,
    votes_of,
)

TIME_OVER = "time_over"
"""Rule of a candidate that timed out without a decision."""
STATED_AGAIN = "stated_again"
"""Rule that closes a candidate whose statement already waits as another candidate."""
SENT_TO_DREAMING = "sent_to_dreaming"
"""Rule of a candidate that an operator sent to dreaming."""
# Less than to become confirmed: weights change a little every night, and a fact must
# not come and go with them.
STAYS_MIN = 0.5
"""Posterior from which a confirmation stays."""
STAYS_BESIDE_BLOC_MIN = 0.85
"""The same where an account of a bloc has answered: it may have more accounts."""

BY_VOTES = (DecisionRule.TWO_DISTINCT, DecisionRule.POSTERIOR)
"""Rules by which votes alone decide."""
_REVISED = (CandidateState.PENDING, CandidateState.CONFIRMED)


class CandidateMover(StrEnum):
    """Cause of a candidate's move from one state to another."""

    ANSWERS = "answers"
    """All answers of people together, as they weigh by now; a moderator's, too."""
    DEADLINE = "deadline"
    OPERATOR = "operator"
    """An operator who sends it to dreaming."""


_PENDING, _CONFIRMED, _REJECTED, _EXPIRED = CandidateState
# Answers never move what is expired: dreaming has it then.
MOVES: Final[Mapping[CandidateMover, Mapping[CandidateState, set[CandidateState]]]] = {
    CandidateMover.ANSWERS: {
        _PENDING: {_CONFIRMED, _REJECTED},
        # Expired, if the same statement waits as another candidate by then.
        _CONFIRMED: {_PENDING, _REJECTED, _EXPIRED},
        _REJECTED: {_PENDING, _CONFIRMED, _EXPIRED},
    },
    CandidateMover.DEADLINE: {_PENDING: {_EXPIRED}},
    CandidateMover.OPERATOR: {_PENDING: {_EXPIRED}},
}
"""States to which a candidate may be moved, by mover and present state."""


def move(
    candidate: Candidate, to: CandidateState, by: CandidateMover, **changes: Any
) -> Candidate:
    """Return a candidate in another state, or in the same one, with other changes."""
    allowed = MOVES[by].get(candidate.state, set())
    # An assertion: a move outside of the table is an error of the program, not of a caller.
    assert to is candidate.state or to in allowed, (
        f"{by} cannot move {candidate.name} from {candidate.state} to {to}"
    )
    return replace(candidate, state=to, **changes)


@dataclass(frozen=True, slots=True)
class CandidateStanding:
    """State of a candidate that follows from the answers.

    Attributes:
        rule: The rule that decided it; empty while it is pending.
        deciders: The principals who decided; empty while it is pending.
        posterior: Probability by the community's votes; None without votes.
        confidence: Confidence of the fact, if it is confirmed.
        belief: Whether it is confirmed as its author's belief only (I4).
        flagged: Whether a moderator should review it.
        decision: The decision; None if the previous state was kept.
    """

    state: CandidateState
    rule: str = ""
    deciders: tuple[str, ...] = ()
    posterior: float | None = None
    confidence: float = 0.0
    belief: bool = False
    flagged: bool = False
    lane: Lane = Lane.COMMUNITY
    decision: CandidateDecision | None = None

    @property
    def decider(self) -> str:
        """The deciders as text."""
        return ", ".join(self.deciders)


@dataclass(frozen=True, slots=True)
class VoteTally:
    """Counts of the last votes on a candidate, one of each principal.

    Attributes:
        posterior: Probability by the community's votes, in (0.0, 1.0).
        together: Voters whose answers count as one: a group each, as names.
    """

    confirmed: int
    rejected: int
    abstained: int
    posterior: float
    together: tuple[str, ...] = ()


def stand(
    candidate: Candidate,
    events: Sequence[ValidationEvent],
    reputations: Reputations,
    *,
    breaker_open: bool = False,
) -> CandidateStanding:
    """Return the state of a candidate that follows from its answers.

    Args:
        events: All its answers, oldest first.
        breaker_open: Whether the circuit breaker is open: then only moderators decide,
            and answers of others do not change the state.
    """
    votes = votes_of(list(events))
    decision = _decision(candidate, votes, reputations)
    by_moderators = decision.rule in (
        DecisionRule.MODERATOR,
        DecisionRule.MODERATORS_DIFFER,
    )
    # Too many facts were reversed: answers are kept, and judged once the breaker has closed.
    if breaker_open and not by_moderators:
        return _left(candidate, decision)
    if decision.verdict in _STATES and not _needs_moderator(candidate, decision):
        return CandidateStanding(
            _STATES[decision.verdict],
            decision.rule,
            _deciders(decision, votes),
            _posterior(decision),
            decision.confidence,
            decision.verdict is CandidateVerdict.BELIEF,
            decision.flagged,
            candidate.lane,
            decision,
        )
    # Votes that cannot settle it, or a critical one: flagged, so that moderators see it.
    asks = decision.verdict is not CandidateVerdict.ASK_PEOPLE
    return CandidateStanding(
        CandidateState.PENDING,
        posterior=_posterior(decision),
        flagged=asks,
        lane=Lane.MODERATOR if asks else candidate.lane,
        decision=decision,
    )


def decided(
    candidate: Candidate, standing: CandidateStanding, confirmed_as: int, now: float
) -> Candidate:
    """Return a candidate after a decision by all answers.

    Args:
        confirmed_as: The ledger row of the confirmation; 0 if there is none.
    """
    is_pending = standing.state is CandidateState.PENDING
    # A repeated answer does not move the time of the decision.
    is_same = (candidate.state, candidate.decision_rule, candidate.decider) == (
        standing.state,
        standing.rule,
        standing.decider,
    )
    since = candidate.decided if is_same else now
    return move(
        candidate,
        standing.state,
        CandidateMover.ANSWERS,
        decider=standing.decider,
        decided=None if is_pending else since,
        decision_rule=standing.rule,
        posterior=standing.posterior,
        belief=standing.belief,
        flagged=standing.flagged,
        lane=standing.lane,
        confirmed_as=confirmed_as,
    )


def tally_of(
    candidate: Candidate, events: Sequence[ValidationEvent], reputations: Reputations
) -> VoteTally:
    """Return the counts of the votes on a candidate."""
    votes = votes_of(list(events))
    last = [vote.answer for vote in last_votes(votes)]
    return VoteTally(
        last.count(VoteAnswer.YES),
        last.count(VoteAnswer.NO),
        last.count(VoteAnswer.ABSTAIN),
        _decision(candidate, votes, reputations).posterior,
        _together(votes, reputations),
    )


def _together(votes: Sequence[Vote], reputations: Reputations) -> tuple[str, ...]:
    """Return the groups of community voters whose answers count as one."""
    # For those who read the votes: who was counted together.
    groups: dict[str, list[str]] = {}
    for vote in last_votes(votes):
        if vote.role is VoterRole.COMMUNITY and vote.answer is not VoteAnswer.ABSTAIN:
            groups.setdefault(reputations[vote.rater].bloc, []).append(vote.rater)
    return tuple(", ".join(each) for each in groups.values() if len(each) > 1)


def told(events: Sequence[ValidationEvent], reputations: Reputations) -> str:
    """Return the votes as text.

    Example: `yes: alice (author), bob; no: carol, dave; count as one: carol, dave`.
    """
    # Moderators and authors are marked, since they decide alone.
    said: dict[VoteAnswer, list[str]] = {}
    for vote in last_votes(votes_of(list(events))):
        role = "" if vote.role is VoterRole.COMMUNITY else f" ({vote.role})"
        said.setdefault(vote.answer, []).append(f"{vote.rater}{role}")
    parts = [
        f"{answer}: {', '.join(said[answer])}"
        for answer in (VoteAnswer.YES, VoteAnswer.NO)
        if answer in said
    ]
    together = _together(votes_of(list(events)), reputations)
    return "; ".join([*parts, *(f"count as one: {each}" for each in together)])


_STATES = {
    CandidateVerdict.CONFIRMED: CandidateState.CONFIRMED,
    CandidateVerdict.BELIEF: CandidateState.CONFIRMED,
    CandidateVerdict.REJECTED: CandidateState.REJECTED,
}


def _decision(
    candidate: Candidate, votes: Sequence[Vote], reputations: Reputations
) -> CandidateDecision:
    return decide(
        votes,
        reputations,
        proposer=candidate.proposer,
        critical=candidate.priority is Priority.CRITICAL,
    )


def _needs_moderator(candidate: Candidate, decision: CandidateDecision) -> bool:
    """Return whether only a moderator may give this decision (4-validation)."""
    # Anybody may keep a critical statement from being a fact; nobody else makes it one.
    return (
        candidate.priority is Priority.CRITICAL
        and decision.verdict is not CandidateVerdict.REJECTED
        and decision.rule is not DecisionRule.MODERATOR
    )


def _left(candidate: Candidate, decision: CandidateDecision) -> CandidateStanding:
    """Return the unchanged state of a candidate; a pending one goes to moderators."""
    pending = candidate.state is CandidateState.PENDING
    return CandidateStanding(
        candidate.state,
        candidate.decision_rule,
        # The standing has deciders as a tuple, the candidate their joined names.
        (candidate.decider,) if candidate.decider else (),
        _posterior(decision),
        belief=candidate.belief,
        flagged=candidate.flagged,
        lane=Lane.MODERATOR if pending else candidate.lane,
    )


def _posterior(decision: CandidateDecision) -> float | None:
    # Without votes the prior would look like a result.
    return decision.posterior if decision.used else None


def _deciders(decision: CandidateDecision, votes: Sequence[Vote]) -> tuple[str, ...]:
    """Return the principals whose votes agree with the decision."""
    # Moderators or the author alone decided, whatever the community said.
    if decision.by:
        return tuple(sorted(decision.by))
    answer = (
        VoteAnswer.YES
        if decision.verdict is CandidateVerdict.CONFIRMED
        else VoteAnswer.NO
    )
    return tuple(
        vote.rater
        for vote in last_votes(votes)
        if vote.role is VoterRole.COMMUNITY and vote.answer is answer
    )


def revise(
    candidate: Candidate, events: Sequence[ValidationEvent], reputations: Reputations
) -> CandidateStanding | None:
    """Return the standing that new reputations give a candidate; None for the same.

    Args:
        events: All its answers, oldest first.
    """
    # What an earlier night took back may come back; other pending ones are not touched.
    is_pending = candidate.state is CandidateState.PENDING
    rules = (WEIGHED_ANEW,) if is_pending else BY_VOTES
    if candidate.decision_rule not in rules or candidate.state not in _REVISED:
        return None
    standing = stand(candidate, events, reputations)
    decision = standing.decision
    assert decision is not None, "without a breaker there is a decision"
    is_confirmed = standing.state is CandidateState.CONFIRMED
    # Pending: only a confirmation is news. Confirmed: only the loss of its grounds is.
    if is_pending:
        return standing if is_confirmed else None
    if is_confirmed or stays(decision):
        return None
    # Not rejected: the votes do not say that it is false, so moderators are asked.
    return CandidateStanding(
        CandidateState.PENDING,
        rule=WEIGHED_ANEW,
        posterior=standing.posterior,
        flagged=True,
        lane=Lane.MODERATOR,
        decision=decision,
    )


def stays(decision: CandidateDecision) -> bool:
    """Return whether a confirmation stays by a decision that would not give it."""
    if decision.rule is DecisionRule.TOO_FEW:
        return False
    least = STAYS_BESIDE_BLOC_MIN if decision.beside_bloc else STAYS_MIN
    return decision.posterior >= least
