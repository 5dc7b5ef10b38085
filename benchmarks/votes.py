"""Counts what votes are worth: among the careful, the lazy, and those who collude.

Seeded crowds answer tasks whose truth is known to whoever planted it and not to whoever
counts. The same answers are counted in four ways, of which the last is ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import mean

from festinger.core.validation.decision import by_community
from festinger.core.validation.fitting import PLAIN, STRENGTH, Skill, logit, sigmoid
from festinger.core.validation.reputation import learn_from
from festinger.core.validation.votes import Answers, Tally

TASKS, VOTES, RUNS, SEED = 800, 5, 10, 7
ACCOUNTS = 60
LAZY = 0.2
"""Of the accounts: they look at nothing."""
ATTACKERS = 0.4
"""Of all accounts, once they have come; each task gets their votes on top."""
TARGETS = 0.1
ASKED_MAX = 7

Posteriors = dict[str, float]
Voter = Callable[[str, bool], bool]
"""What somebody answers to a task, given the truth."""


@dataclass
class Crowd:
    """Accounts and tasks.

    Attributes:
        attack: Empty, or how the attackers among them vote.
        source: Of all chance.
    """

    attack: str
    source: random.Random
    truth: dict[str, bool] = field(default_factory=dict)
    honest: dict[str, Voter] = field(default_factory=dict)
    attackers: dict[str, Voter] = field(default_factory=dict)
    targets: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        chance = self.source.random
        self.truth = {f"task{at:05}": chance() < 0.5 for at in range(TASKS)}
        false = [task for task, true in self.truth.items() if not true]
        count = int(TARGETS * TASKS) if self.attack == "targets" else len(false)
        self.targets = frozenset(self.source.sample(false, count))
        for at in range(ACCOUNTS):
            lazy = at < LAZY * ACCOUNTS
            self.honest[f"person{at:03}"] = self._lazy() if lazy else self._honest()
        if self.attack:
            agreed = {task: chance() < 0.5 for task in self.truth}
            for at in range(round(ACCOUNTS * ATTACKERS / (1 - ATTACKERS))):
                self.attackers[f"sybil{at:03}"] = self._attacker(agreed)

    def asked(self, task: str) -> Iterator[tuple[str, bool]]:
        """People in the order in which they are asked, with their answers."""
        everybody = self.honest | self.attackers
        for name in self.source.sample(sorted(everybody), len(everybody)):
            yield name, everybody[name](task, self.truth[task])

    def votes(self) -> Tally:
        """Five honest or lazy answers to each task, and those of as many attackers as
        there are in proportion."""
        extra = round(VOTES * len(self.attackers) / len(self.honest))
        cast: Tally = {}
        for task, true in self.truth.items():
            names = self.source.sample(sorted(self.honest), VOTES)
            answers = {name: self.honest[name](task, true) for name in names}
            for name in self.source.sample(sorted(self.attackers), extra):
                answers[name] = self.attackers[name](task, true)
            cast[task] = answers
        return cast

    def _honest(self) -> Voter:
        yes, no = self.source.uniform(0.6, 0.95), self.source.uniform(0.6, 0.95)
        return lambda task, true: (self.source.random() < (yes if true else no)) == true

    def _lazy(self) -> Voter:
        assent = self.source.uniform(0.3, 0.9)
        return lambda task, true: self.source.random() < assent

    def _attacker(self, agreed: Mapping[str, bool]) -> Voter:
        if self.attack == "always yes":
            return lambda task, true: True
        if self.attack == "one script":
            return lambda task, true: agreed[task]
        honest = self._honest()
        return lambda task, true: task in self.targets or honest(task, true)


def majority(cast: Tally) -> Posteriors:
    """The share of yes."""
    return {task: mean(answers.values()) for task, answers in cast.items()}


def first_to_two(cast: Tally) -> Posteriors:
    """Whichever answer two give first."""
    return {task: _first_to_two(answers) for task, answers in cast.items()}


def _first_to_two(answers: Answers) -> float:
    said = [0, 0]
    for yes in answers.values():
        said[yes] += 1
        if said[yes] == 2:
            return float(yes)
    return 0.5


def one_number(cast: Tally) -> Posteriors:
    """Each rater has one number: how often they are right."""
    posteriors = majority(cast)
    for _ in range(50):
        right: dict[str, float] = {}
        count: dict[str, int] = {}
        for task, answers in cast.items():
            for name, yes in answers.items():
                true = posteriors[task]
                right[name] = right.get(name, 0.0) + (true if yes else 1 - true)
                count[name] = count.get(name, 0) + 1
        good = {
            name: (right[name] + PLAIN * STRENGTH) / (count[name] + STRENGTH)
            for name in count
        }
        posteriors = {
            task: sigmoid(
                sum(Skill(good[it], good[it]).weight(yes) for it, yes in said.items())
            )
            if all(good[it] >= 0.5 for it in said)
            else sigmoid(
                sum((1 if yes else -1) * logit(good[it]) for it, yes in said.items())
            )
            for task, said in cast.items()
        }
    return posteriors


def ours(cast: Tally) -> Posteriors:
    """Two numbers each, and accounts that always vote alike count once."""
    reputations = learn_from(cast)
    return {
        task: by_community(answers, reputations).posterior
        for task, answers in cast.items()
    }


WAYS: dict[str, Callable[[Tally], Posteriors]] = {
    "majority": majority,
    "first to two": first_to_two,
    "one number": one_number,
    "ours": ours,
}
