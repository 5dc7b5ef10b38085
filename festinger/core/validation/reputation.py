"""Reputations: what is known of raters, and what their answers weigh (I5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from festinger.core.system.principals import plain
from festinger.core.validation.blocs import blocs
from festinger.core.validation.fitting import UNKNOWN, Fit, Skill, fit
from festinger.core.validation.votes import Tally, Vote, tally, together

JUDGED_MIN = 10
"""From so many judged votes a rater's answers weigh what they are worth."""
LOW = 0.2
"""Whose answers tell less, of 0 for chance to 1, has a low reputation."""
LOW_MIN = 3
"""… once they answered so many times of what is true, and as often of what is false:
where all is true it is no shame to say yes to everything."""
JUDGED_BY = 0.9
"""From which posterior on, either way, consensus judges a vote."""
DISTINCT_MIN = 2


@dataclass(frozen=True, slots=True)
class Reputation:
    """What is known of a rater.

    Attributes:
        skill: How good at yes, and how good at no.
        of_true: How many of their votes were on what is true, by gold or consensus.
        of_false: The same of what is false.
        bloc: The name that they count by: their own, unless they always vote as
            others do.
    """

    skill: Skill
    of_true: int
    of_false: int
    bloc: str

    @property
    def judged(self) -> int:
        """How many of their votes could be judged."""
        return self.of_true + self.of_false

    @property
    def known(self) -> bool:
        """Whether enough of their votes were judged."""
        return self.judged >= JUDGED_MIN

    @property
    def low(self) -> bool:
        """Whether they are known to say little: to say yes to everything, or at random."""
        seen = min(self.of_true, self.of_false)
        return self.known and seen >= LOW_MIN and self.skill.told < LOW

    def weight(self, yes: bool) -> float:
        """The log-odds that their answer adds; everybody's are the same at first."""
        return (self.skill if self.known else UNKNOWN).weight(yes)


@dataclass(frozen=True, slots=True)
class Reputations:
    """What is known of all raters.

    Attributes:
        of: By rater.
        prior: The share of statements that are true, in (0.0, 1.0); half of them as
            long as nobody is known.
    """

    of: Mapping[str, Reputation] = field(default_factory=dict)
    prior: float = 0.5

    def __getitem__(self, rater: str) -> Reputation:
        """A rater's, however their name is spelt; of whom nothing is known anybody's."""
        known = self.of.get(rater) or self.of.get(plain(rater))
        return known or Reputation(UNKNOWN, 0, 0, rater)


def learn(votes: Iterable[Vote], gold: Mapping[str, bool] | None = None) -> Reputations:
    """Learns reputations from everything that was voted.

    Only what was said before the outcome could be seen is looked at.

    Args:
        votes: In any order, and by whatever role; without those of proposers on what
            they proposed.
        gold: What is known to be true or false, by task.
    """
    return learn_from(tally(vote for vote in votes if vote.before_visible), gold)


def learn_from(cast: Tally, gold: Mapping[str, bool] | None = None) -> Reputations:
    """Learns reputations from answers that were given before the outcome could be seen."""
    gold = gold or {}
    bloc_of = blocs(cast, gold)
    counted = {task: together(answers, bloc_of) for task, answers in cast.items()}
    found = fit(counted, gold)
    of_true, of_false = _judged(counted, gold, found)
    of: dict[str, Reputation] = {}
    for rater in sorted({rater for answers in cast.values() for rater in answers}):
        bloc = bloc_of.get(rater, rater)
        # A bloc that is always divided has said nothing.
        skill = found.skills.get(bloc, UNKNOWN)
        of[rater] = Reputation(skill, of_true[bloc], of_false[bloc], bloc)
    known = any(each.known for each in of.values())
    return Reputations(of, found.prior if known else 0.5)


def _judged(
    counted: Tally, gold: Mapping[str, bool], found: Fit
) -> tuple[Counter[str], Counter[str]]:
    """How many votes of each were on what is true and on what is false."""
    of_true: Counter[str] = Counter()
    of_false: Counter[str] = Counter()
    for task, answers in counted.items():
        if task not in gold and len(answers) < DISTINCT_MIN:
            # Nobody judges their own vote.
            continue
        posterior = found.posteriors.get(task, 0.5)
        if posterior >= JUDGED_BY:
            of_true.update(answers.keys())
        elif posterior <= 1.0 - JUDGED_BY:
            of_false.update(answers.keys())
    return of_true, of_false
