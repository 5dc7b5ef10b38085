"""What many votes decide, all at once: reputations are learnt from the same votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from festinger.core.validation.decision import (
    CandidateDecision,
    CandidateVerdict,
    DecisionRule,
    by_community,
)
from festinger.core.validation.reputation import Reputations, learn_from
from festinger.core.validation.votes import Tally, Vote, tally


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What becomes of a task.

    Attributes:
        by_votes: The posterior by votes alone, whatever is known.
        gold: What is known; None if nothing is.
    """

    decision: CandidateDecision
    by_votes: float
    gold: bool | None


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What becomes of all tasks, and what was learnt of those who voted.

    Attributes:
        tally: Which answers there were.
        outcomes: By task, in the order of their names.
    """

    tally: Tally
    outcomes: dict[str, TaskOutcome]
    reputations: Reputations


def aggregate(votes: Iterable[Vote], gold: Mapping[str, bool]) -> Aggregate:
    """Decides about every task that was voted on, or whose truth is known.

    Everybody votes as one of the community, before any outcome could be seen.
    """
    cast = tally(votes)
    reputations = learn_from(cast, gold)
    outcomes: dict[str, TaskOutcome] = {}
    for task in sorted(cast.keys() | gold.keys()):
        decision = by_community(cast.get(task, {}), reputations)
        outcomes[task] = _outcome(decision, gold.get(task))
    return Aggregate(cast, outcomes, reputations)


def _outcome(decision: CandidateDecision, gold: bool | None) -> TaskOutcome:
    if gold is None:
        return TaskOutcome(decision, decision.posterior, None)
    known = replace(
        decision,
        verdict=CandidateVerdict.CONFIRMED if gold else CandidateVerdict.REJECTED,
        rule=DecisionRule.GOLD,
        posterior=float(gold),
        confidence=float(gold),
    )
    return TaskOutcome(known, decision.posterior, gold)
