"""Joint estimate of the skills of raters and the truth of tasks.

Expectation maximisation of Dawid and Skene's model for two answers: the skill of each
rater follows from the posteriors of the tasks, and the posteriors follow from the
skills, until neither changes. Gold labels are fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from festinger.core.validation.votes import Tally

PLAIN = 0.75
"""Skill of an unknown rater, at yes and at no: two such votes that agree give a
posterior of 0.9."""
STRENGTH = 4.0
"""Strength of the prior on skills, in votes on true and votes on false statements."""
ROUNDS_MAX = 100
TOLERANCE = 1e-4
"""Change of posteriors up to which the fit has converged."""


@dataclass(frozen=True, slots=True)
class RaterSkill:
    """Skill of a rater.

    Attributes:
        yes: Probability of yes to a true statement, in (0.0, 1.0).
        no: Probability of no to a false statement; at least 1 - yes.
    """

    # With one number, accounts that always say yes agree and are trusted most; with two
    # they are good at yes and bad at no, and their yes has no weight.
    yes: float
    no: float

    @property
    def told(self) -> float:
        """The informedness of the answers: 0 for chance, 1 for perfection."""
        return self.yes + self.no - 1.0

    def weight(self, yes: bool) -> float:
        """Return the log-odds that an answer adds: yes at least 0, no at most 0."""
        if yes:
            return max(0.0, log(self.yes / (1.0 - self.no)))
        return min(0.0, log((1.0 - self.yes) / self.no))


UNKNOWN = RaterSkill(PLAIN, PLAIN)


@dataclass(frozen=True, slots=True)
class Fit:
    """Result of the estimate.

    Attributes:
        prior: The share of statements that are true, in (0.0, 1.0).
        posteriors: The probability of each task; 0 or 1 for a gold label.
        settled: Whether it converged within `ROUNDS_MAX`.
    """

    skills: dict[str, RaterSkill]
    prior: float
    posteriors: dict[str, float]
    rounds: int
    settled: bool


def fit(tally: Tally, gold: Mapping[str, bool]) -> Fit:
    """Estimate the skills of raters and the posteriors of tasks."""
    tasks = sorted(task for task in tally if tally[task])
    raters = sorted({rater for task in tasks for rater in tally[task]})
    cast = _IndexedVotes.of(tally, tasks, raters)
    known = [(at, float(gold[task])) for at, task in enumerate(tasks) if task in gold]
    posteriors = [_share(votes) for votes in cast.of_task]
    rounds, change = 0, 1.0
    while tasks and rounds < ROUNDS_MAX and change > TOLERANCE:
        # Gold labels overrule the estimate before the skills are learnt, and again after it.
        for at, truth in known:
            posteriors[at] = truth
        prior, skills = _learn(cast, posteriors)
        before, posteriors = posteriors, _judge(cast, prior, skills)
        for at, truth in known:
            posteriors[at] = truth
        change = max(map(abs, map(float.__sub__, before, posteriors)))
        rounds += 1
    prior, skills = _learn(cast, posteriors)
    return Fit(
        dict(zip(raters, skills, strict=True)),
        prior,
        dict(zip(tasks, posteriors, strict=True)),
        rounds,
        change <= TOLERANCE or not tasks,
    )


def sigmoid(odds: float) -> float:
    """Return the probability of log-odds."""
    # Two branches, since exp() of a large positive number overflows.
    if odds >= 0.0:
        return 1.0 / (1.0 + exp(-odds))
    return exp(odds) / (1.0 + exp(odds))


def logit(probability: float) -> float:
    """Return the log-odds of a probability in (0.0, 1.0)."""
    return log(probability / (1.0 - probability))


@dataclass(frozen=True, slots=True)
class _IndexedVotes:
    """The votes with numbered tasks and raters, indexed by task and by rater.

    Attributes:
        of_task: For each task, 2 × rater + yes for each of its votes.
        yes: For each rater, the tasks answered with yes.
        no: For each rater, the tasks answered with no.
    """  # noqa: RUF002 - a formula

    # One integer for each vote, so that weights can be looked up in a flat list.
    of_task: list[list[int]]
    yes: list[list[int]]
    no: list[list[int]]

    @classmethod
    def of(
        cls, tally: Tally, tasks: Sequence[str], raters: Sequence[str]
    ) -> _IndexedVotes:
        """Index the votes of a tally."""
        number = {rater: at for at, rater in enumerate(raters)}
        of_task: list[list[int]] = []
        said: tuple[list[list[int]], list[list[int]]] = (
            [[] for _ in raters],
            [[] for _ in raters],
        )
        for at, task in enumerate(tasks):
            # Sorted, since the order of a sum affects its last digit.
            votes = sorted(
                2 * number[rater] + yes for rater, yes in tally[task].items()
            )
            of_task.append(votes)
            for vote in votes:
                # The last bit is the answer, the rest the rater's number.
                said[vote % 2][vote // 2].append(at)
        return cls(of_task, yes=said[1], no=said[0])


def _share(votes: Sequence[int]) -> float:
    """Return the initial posterior of a task: the smoothed share of yes."""
    # Half a vote each way: a single yes must not start as a certainty.
    return (sum(vote % 2 for vote in votes) + 0.5) / (len(votes) + 1.0)


def _learn(
    cast: _IndexedVotes, posteriors: Sequence[float]
) -> tuple[float, list[RaterSkill]]:
    """Return the share of true tasks and the skill of each rater (the M step)."""
    true = posteriors.__getitem__
    skills: list[RaterSkill] = []
    for yes, no in zip(cast.yes, cast.no, strict=True):
        yes_true, no_true = sum(map(true, yes)), sum(map(true, no))
        skills.append(_skill(yes_true, no_true, len(yes), len(no)))
    # As if there were some tasks more, half of them true: the logit stays finite.
    whole = sum(posteriors) + STRENGTH / 2
    return whole / (len(posteriors) + STRENGTH), skills


def _skill(yes_true: float, no_true: float, yes: int, no: int) -> RaterSkill:
    """Return a rater's skill.

    Args:
        yes_true: Expected number of yes to true tasks.
        no_true: Expected number of no to true tasks.
    """
    assumed, assent = _assumed(yes, no)
    true = yes_true + no_true
    false = yes + no - true
    skill = RaterSkill(
        (yes_true + STRENGTH * assumed.yes) / (true + STRENGTH),
        (no - no_true + STRENGTH * assumed.no) / (false + STRENGTH),
    )
    # Worse than chance is treated as chance; else liars would have weight.
    return skill if skill.told >= 0.0 else RaterSkill(assent, 1.0 - assent)


def _assumed(yes: int, no: int) -> tuple[RaterSkill, float]:
    """Return the prior skill of a rater, and the smoothed share of yes."""
    # Whoever always says yes has no prior skill: a bloc of them could make all tasks true,
    # and no false one would be left as evidence against them.
    assent = (yes + 1.0) / (yes + no + 2.0)
    # The steepest line on which a share of 1 / 4 still allows the skill `PLAIN`.
    ramp = PLAIN / (1.0 - PLAIN)
    return RaterSkill(
        max(assent, min(PLAIN, ramp * assent)),
        max(1.0 - assent, min(PLAIN, ramp * (1.0 - assent))),
    ), assent


def _judge(
    cast: _IndexedVotes, prior: float, skills: Sequence[RaterSkill]
) -> list[float]:
    """Return the posterior of each task, given the skills (the E step)."""
    # No first, then yes: the order of 2 x rater + yes.
    weights = [skill.weight(yes) for skill in skills for yes in (False, True)]
    start = logit(prior)
    return [
        sigmoid(start + sum(map(weights.__getitem__, votes))) for votes in cast.of_task
    ]
