"""Batch decision of many tasks, with reputations learnt from the same votes."""

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
    """Outcome of a task.

    Attributes:
        decision: The decision; by the gold label if there is one.
        by_votes: The posterior by votes alone, without the gold label.
        gold: The gold label; None if there is none.
    """

    decision: CandidateDecision
    by_votes: float
    gold: bool | None


@dataclass(frozen=True, slots=True)
class AggregatedVotes:
    """Outcomes of all tasks, and reputations of their voters.

    Attributes:
        outcomes: The outcome of each task, in the order of their names.
        reputations: The reputations learnt from the votes.
    """

    tally: Tally
    outcomes: dict[str, TaskOutcome]
    reputations: Reputations


def aggregate(votes: Iterable[Vote], gold: Mapping[str, bool]) -> AggregatedVotes:
    """Decide every task that was voted on or has a gold label, without any roles."""
    # Votes read from a file: all are the community's, and cast before the outcome was visible.
    cast = tally(votes)
    # Learnt from all tasks first: one vote weighs the same in every task.
    reputations = learn_from(cast, gold)
    outcomes: dict[str, TaskOutcome] = {}
    # The union, since a gold label without votes is a task too; sorted, so that runs compare.
    for task in sorted(cast.keys() | gold.keys()):
        decision = by_community(cast.get(task, {}), reputations)
        outcomes[task] = _outcome(decision, gold.get(task))
    return AggregatedVotes(cast, outcomes, reputations)


def _outcome(decision: CandidateDecision, gold: bool | None) -> TaskOutcome:
    if gold is None:  # nothing to compare with: the votes decide
        return TaskOutcome(decision, decision.posterior, None)
    # The votes' posterior is kept beside it: the report tells how far votes alone were right.
    known = replace(
        decision,
        verdict=CandidateVerdict.CONFIRMED if gold else CandidateVerdict.REJECTED,
        rule=DecisionRule.GOLD,
        posterior=float(gold),
        confidence=float(gold),
    )
    return TaskOutcome(known, decision.posterior, gold)
