"""What becomes of a candidate: a function of all that was answered, in whatever order.

                     ┌──────────── answers ───────────▶ confirmed  held, as sure as decided
                     │                                       ⇅
    pending ─────────┼── its author against the others ▶ belief     held as theirs, flagged
       │             │                                       ⇅
       │             └──────────── answers ───────────▶ rejected   not held
       └──────────────── its time is over ────────────▶ expired    not held

An answer is taken back, or given, until the time is over (I4a): the decision is made anew
each time from all answers, and so may lead back to where it came from. What is rejected
or expired waits for dreaming.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.candidates import Factoid, FactoidState, Lane, Priority
from festinger.core.validation.decision import (
    CandidateDecision,
    CandidateVerdict,
    DecisionRule,
    decide,
)
from festinger.core.validation.events import ValidationEvent, votes_of
from festinger.core.validation.reputation import Reputations
from festinger.core.validation.votes import Vote, VoteAnswer, VoterRole, last_votes

TIME_OVER = "time_over"
"""The rule by which nobody decided."""
STATED_AGAIN = "stated_again"
"""The rule that closes one that would wait again, while its statement waits elsewhere."""
SENT_TO_DREAMING = "sent_to_dreaming"
"""The rule by which an operator ended the asking."""


@dataclass(frozen=True, slots=True)
class CandidateStanding:
    """Where a candidate stands, by what was answered.

    Attributes:
        rule: By which it was decided; empty while it is pending.
        deciders: Who decided, by name; empty while it is pending.
        posterior: How probable it is by the community's votes; None before any.
        confidence: How far to rely on it, if it is confirmed.
        belief: Whether it is confirmed as its author's belief only (I4).
        flagged: Whether a moderator should look at it.
        decision: By which it stands there; None if it was left where it was.
    """

    state: FactoidState
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
        """Who decided, in words."""
        return ", ".join(self.deciders)


@dataclass(frozen=True, slots=True)
class VoteTally:
    """What the votes on a candidate come to, each of a principal.

    Attributes:
        posterior: How probable it is by the community's votes, in (0.0, 1.0).
    """

    confirmed: int
    rejected: int
    abstained: int
    posterior: float


def stand(
    factoid: Factoid,
    events: Sequence[ValidationEvent],
    reputations: Reputations,
    *,
    breaker_open: bool = False,
) -> CandidateStanding:
    """Decides where a candidate stands.

    Args:
        events: All that was answered, the oldest first.
        breaker_open: Whether so much was reversed lately that only moderators decide:
            then what others answered leaves it where it is.
    """
    votes = votes_of(list(events))
    decision = _decision(factoid, votes, reputations)
    by_moderators = decision.rule in (
        DecisionRule.MODERATOR,
        DecisionRule.MODERATORS_DIFFER,
    )
    if breaker_open and not by_moderators:
        return _left(factoid, decision)
    if decision.verdict in _STATES and not _needs_moderator(factoid, decision):
        return CandidateStanding(
            _STATES[decision.verdict],
            decision.rule,
            _deciders(decision, votes),
            _posterior(decision),
            decision.confidence,
            decision.verdict is CandidateVerdict.BELIEF,
            decision.flagged,
            factoid.lane,
            decision,
        )
    asks = decision.verdict is not CandidateVerdict.ASK_PEOPLE
    return CandidateStanding(
        FactoidState.PENDING,
        posterior=_posterior(decision),
        flagged=asks,
        lane=Lane.MODERATOR if asks else factoid.lane,
        decision=decision,
    )


def tally_of(
    factoid: Factoid, events: Sequence[ValidationEvent], reputations: Reputations
) -> VoteTally:
    """What the votes come to."""
    votes = votes_of(list(events))
    last = [vote.answer for vote in last_votes(votes)]
    return VoteTally(
        last.count(VoteAnswer.YES),
        last.count(VoteAnswer.NO),
        last.count(VoteAnswer.ABSTAIN),
        _decision(factoid, votes, reputations).posterior,
    )


def told(events: Sequence[ValidationEvent]) -> str:
    """The votes in words. Example: `yes: alice (author), bob; no: carol`."""
    said: dict[VoteAnswer, list[str]] = {}
    for vote in last_votes(votes_of(list(events))):
        role = "" if vote.role is VoterRole.COMMUNITY else f" ({vote.role})"
        said.setdefault(vote.answer, []).append(f"{vote.rater}{role}")
    return "; ".join(
        f"{answer}: {', '.join(said[answer])}"
        for answer in (VoteAnswer.YES, VoteAnswer.NO)
        if answer in said
    )


_STATES = {
    CandidateVerdict.CONFIRMED: FactoidState.CONFIRMED,
    CandidateVerdict.BELIEF: FactoidState.CONFIRMED,
    CandidateVerdict.REJECTED: FactoidState.REJECTED,
}


def _decision(
    factoid: Factoid, votes: Sequence[Vote], reputations: Reputations
) -> CandidateDecision:
    return decide(
        votes,
        reputations,
        proposer=factoid.proposer,
        critical=factoid.priority is Priority.CRITICAL,
    )


def _needs_moderator(factoid: Factoid, decision: CandidateDecision) -> bool:
    """Whether nobody else may have it held: what hurts if it is wrong (4-validation)."""
    return (
        factoid.priority is Priority.CRITICAL
        and decision.verdict is not CandidateVerdict.REJECTED
        and decision.rule is not DecisionRule.MODERATOR
    )


def _left(factoid: Factoid, decision: CandidateDecision) -> CandidateStanding:
    """The candidate where it stands, for moderators if it is open."""
    pending = factoid.state is FactoidState.PENDING
    return CandidateStanding(
        factoid.state,
        factoid.decision_rule,
        (factoid.decider,) if factoid.decider else (),
        _posterior(decision),
        belief=factoid.belief,
        flagged=factoid.flagged,
        lane=Lane.MODERATOR if pending else factoid.lane,
    )


def _posterior(decision: CandidateDecision) -> float | None:
    return decision.posterior if decision.used else None


def _deciders(decision: CandidateDecision, votes: Sequence[Vote]) -> tuple[str, ...]:
    """Who said what was decided."""
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
