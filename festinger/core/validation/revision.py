"""Revision of what votes confirmed, once their weights were learnt anew (I5).

Votes decide with the weights of the last night. Accounts that lie about much on one day
are found out in the next night, when what they confirmed is held already. So after each
learning all confirmations by votes are looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.graph.candidates import (
    WEIGHED_ANEW,
    Candidate,
    CandidateState,
    Lane,
)
from festinger.core.validation.decision import CandidateDecision, DecisionRule
from festinger.core.validation.events import ValidationEvent
from festinger.core.validation.lifecycle import CandidateStanding, stand
from festinger.core.validation.reputation import Reputations

# Less than to become confirmed: weights change a little every night, and a fact must
# not come and go with them.
STAYS_MIN = 0.5
"""Posterior from which a confirmation stays."""
STAYS_BESIDE_BLOC_MIN = 0.85
"""The same where an account of a bloc has answered: it may have more accounts."""

BY_VOTES = (DecisionRule.TWO_DISTINCT, DecisionRule.POSTERIOR)
"""Rules by which votes alone decide."""
_REVISED = (CandidateState.PENDING, CandidateState.CONFIRMED)


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
