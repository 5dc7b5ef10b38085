"""How good raters are at yes and at no, found together with what is true.

Expectation maximisation of Dawid and Skene's model, for two answers: from what is
probably true follows how good each rater is, and from that what is probably true, until
neither changes. Where the truth is known it is not guessed.

One number per rater would not do. Accounts that say yes to everything agree with one
another, so that they would be trusted most; with two numbers they are found to be good
at yes and hopeless at no, and then their yes says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from festinger.core.validation.votes import Tally

PLAIN = 0.75
"""How good somebody is taken to be of whom nothing is known: two such votes that agree
make a posterior of 0.9."""
STRENGTH = 4.0
"""How many votes on true and as many on false statements an assumption is worth."""
ROUNDS_MAX = 100
TOLERANCE = 1e-4
"""It is over once no posterior changes by more."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How good somebody is.

    Attributes:
        yes: How probably they say yes to what is true, in (0.0, 1.0).
        no: How probably they say no to what is false; at least 1 - yes.
    """

    yes: float
    no: float

    @property
    def told(self) -> float:
        """How much their answers tell: 0 of chance, 1 of perfection."""
        return self.yes + self.no - 1.0

    def weight(self, yes: bool) -> float:
        """The log-odds that an answer adds: at least 0 for yes, at most 0 for no."""
        if yes:
            return max(0.0, log(self.yes / (1.0 - self.no)))
        return min(0.0, log((1.0 - self.yes) / self.no))


UNKNOWN = Skill(PLAIN, PLAIN)


@dataclass(frozen=True, slots=True)
class Fit:
    """What was found.

    Attributes:
        skills: By rater.
        prior: The share of statements that are true, in (0.0, 1.0).
        posteriors: By task; of a task whose truth is known, 0 or 1.
        rounds: How many it took.
        settled: Whether it came to rest before it was stopped.
    """

    skills: dict[str, Skill]
    prior: float
    posteriors: dict[str, float]
    rounds: int
    settled: bool


def fit(tally: Tally, gold: Mapping[str, bool]) -> Fit:
    """Finds how good raters are, and what is true.

    Args:
        gold: What is known to be true or false, by task.
    """
    tasks = sorted(task for task in tally if tally[task])
    raters = sorted({rater for task in tasks for rater in tally[task]})
    cast = _Cast.of(tally, tasks, raters)
    known = [(at, float(gold[task])) for at, task in enumerate(tasks) if task in gold]
    posteriors = [_share(votes) for votes in cast.of_task]
    rounds, change = 0, 1.0
    while tasks and rounds < ROUNDS_MAX and change > TOLERANCE:
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
    """The probability of log-odds."""
    if odds >= 0.0:
        return 1.0 / (1.0 + exp(-odds))
    return exp(odds) / (1.0 + exp(odds))


def logit(probability: float) -> float:
    """The log-odds of a probability within (0.0, 1.0)."""
    return log(probability / (1.0 - probability))


@dataclass(frozen=True, slots=True)
class _Cast:
    """The votes by number, both ways.

    Attributes:
        of_task: Of each task 2 × rater + yes, for each of its votes.
        yes, no: Of each rater the tasks to which they said so.
    """  # noqa: RUF002 - a formula

    of_task: list[list[int]]
    yes: list[list[int]]
    no: list[list[int]]

    @classmethod
    def of(cls, tally: Tally, tasks: Sequence[str], raters: Sequence[str]) -> _Cast:
        """The votes of a tally."""
        number = {rater: at for at, rater in enumerate(raters)}
        of_task: list[list[int]] = []
        said: tuple[list[list[int]], list[list[int]]] = (
            [[] for _ in raters],
            [[] for _ in raters],
        )
        for at, task in enumerate(tasks):
            # In one order, or sums would differ in their last digit.
            votes = sorted(
                2 * number[rater] + yes for rater, yes in tally[task].items()
            )
            of_task.append(votes)
            for vote in votes:
                said[vote % 2][vote // 2].append(at)
        return cls(of_task, yes=said[1], no=said[0])


def _share(votes: Sequence[int]) -> float:
    """Where it begins: with the share of yes."""
    return (sum(vote % 2 for vote in votes) + 0.5) / (len(votes) + 1.0)


def _learn(cast: _Cast, posteriors: Sequence[float]) -> tuple[float, list[Skill]]:
    """The share of what is true, and how good each rater is, if that is true."""
    true = posteriors.__getitem__
    skills: list[Skill] = []
    for yes, no in zip(cast.yes, cast.no, strict=True):
        yes_true, no_true = sum(map(true, yes)), sum(map(true, no))
        skills.append(_skill(yes_true, no_true, len(yes), len(no)))
    whole = sum(posteriors) + STRENGTH / 2
    return whole / (len(posteriors) + STRENGTH), skills


def _skill(yes_true: float, no_true: float, yes: int, no: int) -> Skill:
    """How good somebody is who said yes and no so often, so often of what is true."""
    assumed, assent = _assumed(yes, no)
    true = yes_true + no_true
    false = yes + no - true
    skill = Skill(
        (yes_true + STRENGTH * assumed.yes) / (true + STRENGTH),
        (no - no_true + STRENGTH * assumed.no) / (false + STRENGTH),
    )
    # Worse than chance is treated as chance, or who lies could vote by lying.
    return skill if skill.told >= 0.0 else Skill(assent, 1.0 - assent)


def _assumed(yes: int, no: int) -> tuple[Skill, float]:
    """What is assumed of somebody, and how often they say yes.

    Who is plainly good says yes to between one and three of four things, however much is
    true. Who does so more often cannot be as good at no, and who says yes to everything
    is good at nothing. Were they assumed to be good nevertheless, a bloc of them could
    make everything true: nothing false would be left to tell otherwise.
    """
    assent = (yes + 1.0) / (yes + no + 2.0)
    ramp = PLAIN / (1.0 - PLAIN)
    return Skill(
        max(assent, min(PLAIN, ramp * assent)),
        max(1.0 - assent, min(PLAIN, ramp * (1.0 - assent))),
    ), assent


def _judge(cast: _Cast, prior: float, skills: Sequence[Skill]) -> list[float]:
    """How probably each task is true, if raters are that good."""
    weights = [skill.weight(yes) for skill in skills for yes in (False, True)]
    start = logit(prior)
    return [
        sigmoid(start + sum(map(weights.__getitem__, votes))) for votes in cast.of_task
    ]
