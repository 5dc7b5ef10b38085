"""Reputations of raters, and the weights of their answers (I5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from festinger.core.system.principals import plain
from festinger.core.validation.blocs import blocs
from festinger.core.validation.fitting import UNKNOWN, Fit, RaterSkill, fit
from festinger.core.validation.votes import Tally, Vote, tally, together

JUDGED_MIN = 10
"""Number of judged votes from which a rater's own skill gives the weight."""
LOW = 0.2
"""Informedness (`RaterSkill.told`) below which a reputation is low."""
LOW_MIN = 3
"""Minimum number of judged votes on true, and on false statements, for a low
reputation: where all is true, a rater may say yes to everything."""
JUDGED_BY = 0.9
"""Posterior (or 1 - posterior) from which consensus judges votes."""
DISTINCT_MIN = 2  # with fewer votes nothing is consensus


@dataclass(frozen=True, slots=True)
class Reputation:
    """Reputation of a rater.

    Attributes:
        skill: Skill at yes and at no.
        of_true: Number of votes on true statements, by gold labels or consensus.
        of_false: Number of votes on false statements, by gold labels or consensus.
        bloc: Name of the rater's bloc; the rater's own name if not in one.
    """

    skill: RaterSkill
    of_true: int
    of_false: int
    bloc: str

    @property
    def judged(self) -> int:
        """The number of judged votes."""
        return self.of_true + self.of_false

    @property
    def known(self) -> bool:
        """True if enough votes were judged."""
        return self.judged >= JUDGED_MIN

    @property
    def low(self) -> bool:
        """True if the answers are known to say little: always yes, or at random."""
        # Where all was true, a person who says yes to everything cannot be told from a good rater.
        seen = min(self.of_true, self.of_false)
        return self.known and seen >= LOW_MIN and self.skill.told < LOW

    def weight(self, yes: bool) -> float:
        """Return the log-odds that an answer adds; the same for all unknown raters."""
        # Below ten judged votes an own skill would be noise.
        return (self.skill if self.known else UNKNOWN).weight(yes)


@dataclass(frozen=True, slots=True)
class Reputations:
    """Reputations of all raters.

    Attributes:
        prior: Share of statements that are true, in (0.0, 1.0); 0.5 while no rater is
            known.
    """

    of: Mapping[str, Reputation] = field(default_factory=dict)
    prior: float = 0.5

    def __getitem__(self, rater: str) -> Reputation:
        """Return a rater's reputation, whatever the spelling; a default if unknown."""
        # "Alice" is no new rater beside "alice": whoever has a low reputation cannot start anew.
        known = self.of.get(rater) or self.of.get(plain(rater))
        return known or Reputation(UNKNOWN, 0, 0, rater)


def learn(votes: Iterable[Vote], gold: Mapping[str, bool] | None = None) -> Reputations:
    """Learn reputations from all votes.

    Args:
        votes: The votes in any order, of any role; without those of proposers on their
            own candidates.
        gold: The gold labels by task.
    """
    # Whoever saw the outcome first could only agree.
    return learn_from(tally(vote for vote in votes if vote.before_visible), gold)


def learn_from(cast: Tally, gold: Mapping[str, bool] | None = None) -> Reputations:
    """Learn reputations from answers given before the outcome was visible.

    Args:
        gold: The gold labels by task.
    """
    gold = gold or {}
    # Blocs first: their accounts must not confirm one another's skill.
    bloc_of = blocs(cast, gold)
    counted = {task: together(answers, bloc_of) for task, answers in cast.items()}
    found = fit(counted, gold)
    of_true, of_false = _judged(counted, gold, found)
    of: dict[str, Reputation] = {}
    for rater in sorted({rater for answers in cast.values() for rater in answers}):
        bloc = bloc_of.get(rater, rater)
        # A bloc that is always divided has no votes.
        skill = found.skills.get(bloc, UNKNOWN)
        of[rater] = Reputation(skill, of_true[bloc], of_false[bloc], bloc)
    # A prior from answers of raters of whom nothing is known says nothing.
    known = any(each.known for each in of.values())
    return Reputations(of, found.prior if known else 0.5)


def _judged(
    counted: Tally, gold: Mapping[str, bool], found: Fit
) -> tuple[Counter[str], Counter[str]]:
    """Return the number of each rater's votes on true and on false statements."""
    of_true: Counter[str] = Counter()
    of_false: Counter[str] = Counter()
    for task, answers in counted.items():
        if task not in gold and len(answers) < DISTINCT_MIN:
            # A single vote would be judged by itself.
            continue
        posterior = found.posteriors.get(task, 0.5)
        # Between the two it is open who was right, and nobody is judged.
        if posterior >= JUDGED_BY:
            of_true.update(answers.keys())
        elif posterior <= 1.0 - JUDGED_BY:
            of_false.update(answers.keys())
    return of_true, of_false
