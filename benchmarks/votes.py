"""Counts what votes are worth: among the careful, the lazy, and those who attack.

Seeded crowds answer tasks whose truth is known to who planted it, and not to who counts.
The same answers are counted in four ways, alone and with attackers' on top.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import mean

from benchmarks.report import Part, Row, Samples, timed
from festinger.core.validation.decision import CandidateVerdict, by_community
from festinger.core.validation.fitting import PLAIN, STRENGTH, logit, sigmoid
from festinger.core.validation.reputation import Reputations, learn_from
from festinger.core.validation.votes import Answers, Tally

RUNS, SEED = 20, 7
TASKS, VOTES, ASKED = 800, 5, 200
ACCOUNTS, LAZY = 60, 0.2
"""A fifth of them look at nothing."""
GOOD = (0.6, 0.95)
"""How good the others are at yes, and at no."""
ATTACKERS = 0.4
"""Of all accounts, once they have come."""
TARGETS = 0.1

Posteriors = Mapping[str, float]
Voter = Callable[[str, bool], bool]
"""What somebody answers to a task, given the truth."""


@dataclass(frozen=True, slots=True)
class Attack:
    """Behaviour of attackers: each of them by itself, or by one script.

    Attributes:
        voter: Makes one of them, of chance, the script and the false tasks that they
            want to have confirmed.
        everywhere: Whether only as many come as each task gets votes of them, and they
            answer everything.
    """

    name: str
    voter: Callable[[random.Random, Mapping[str, bool], frozenset[str]], Voter]
    targets: float = 1.0
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """One crowd, and what it answered.

    Attributes:
        cast: Its votes; those of attackers among them, in any order.
        voters: Everybody.
        targets: What is false and attackers want to have confirmed; all that is false
            if there are none.
    """

    truth: Mapping[str, bool]
    cast: Tally
    voters: Mapping[str, Voter]
    targets: frozenset[str]

    def asked(
        self, source: random.Random, reputations: Reputations
    ) -> Iterator[tuple[int, CandidateVerdict, bool]]:
        """Has new tasks decided, asking one after the other: how many, what, and truth."""
        for task in source.sample(sorted(self.truth), ASKED):
            answers: Answers = {}
            true = self.truth[task]
            for name in source.sample(sorted(self.voters), len(self.voters)):
                answers[name] = self.voters[name](task, true)
                verdict = by_community(answers, reputations).verdict
                if verdict is not CandidateVerdict.ASK_PEOPLE:
                    break
            yield len(answers), verdict, true


def trial(seed: int, attack: Attack | None, tasks: int, truths: float = 0.5) -> Trial:
    """Return a crowd of a seed; its own votes are the same whatever attacks it."""
    source = random.Random(seed)
    truth = {f"task{at:05}": source.random() < truths for at in range(tasks)}
    voters = {
        f"person{at:03}": lazy(source) if at < LAZY * ACCOUNTS else honest(source)
        for at in range(ACCOUNTS)
    }
    cast = _cast(source, truth, voters, VOTES)
    false = [task for task, true in truth.items() if not true]
    if attack is None:
        return Trial(truth, cast, voters, frozenset(false))
    count = min(len(false), round(tasks * attack.targets))
    targets = frozenset(source.sample(false, count))
    script = {task: source.random() < 0.5 for task in truth}
    each = round(VOTES * ATTACKERS / (1 - ATTACKERS))
    some = each if attack.everywhere else round(ACCOUNTS * ATTACKERS / (1 - ATTACKERS))
    sybils = {
        f"sybil{at:03}": attack.voter(source, script, targets) for at in range(some)
    }
    more = _cast(source, truth, sybils, each)
    mixed: Tally = {}
    for task, answers in cast.items():
        both = list((answers | more[task]).items())
        source.shuffle(both)
        mixed[task] = dict(both)
    return Trial(truth, mixed, voters | sybils, targets)


def _cast(
    source: random.Random,
    truth: Mapping[str, bool],
    voters: Mapping[str, Voter],
    count: int,
) -> Tally:
    names = sorted(voters)
    return {
        task: {name: voters[name](task, true) for name in source.sample(names, count)}
        for task, true in truth.items()
    }


def honest(source: random.Random) -> Voter:
    """Somebody who looks, and errs."""
    yes, no = source.uniform(*GOOD), source.uniform(*GOOD)
    return lambda task, true: (source.random() < (yes if true else no)) == true


def lazy(source: random.Random) -> Voter:
    """Somebody who says yes more or less often, whatever is asked."""
    assent = source.uniform(0.3, 0.9)
    return lambda task, true: source.random() < assent


def _hidden(
    source: random.Random, script: Mapping[str, bool], targets: frozenset[str]
) -> Voter:
    usual = honest(source)
    return lambda task, true: task in targets or usual(task, true)


ATTACKS = (
    Attack("always yes", lambda *_: lambda task, true: True),
    Attack("one script", lambda _, script, __: lambda task, true: script[task]),
    Attack(
        "one script, few accounts",
        lambda _, script, __: lambda task, true: script[task],
        everywhere=True,
    ),
    Attack("honest but for a tenth", _hidden, targets=TARGETS),
)


def majority(cast: Tally) -> Posteriors:
    """Return the share of yes."""
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
    """Each rater has one number, how often they are right, fitted in the same way."""
    posteriors = dict(majority(cast))
    for _ in range(50):
        right: defaultdict[str, float] = defaultdict(float)
        count: Counter[str] = Counter()
        for task, answers in cast.items():
            true = posteriors[task]
            for name, yes in answers.items():
                right[name] += true if yes else 1.0 - true
                count[name] += 1
        weight = {
            name: logit((right[name] + PLAIN * STRENGTH) / (count[name] + STRENGTH))
            for name in count
        }
        for task, answers in cast.items():
            odds = sum(
                weight[it] if yes else -weight[it] for it, yes in answers.items()
            )
            posteriors[task] = sigmoid(odds)
    return posteriors


def two_numbers(cast: Tally) -> Posteriors:
    """Our: two numbers each, and accounts that always vote alike count once."""
    reputations = learn_from(cast)
    return {
        task: by_community(answers, reputations).posterior
        for task, answers in cast.items()
    }


WAYS: dict[str, Callable[[Tally], Posteriors]] = {
    "majority": majority,
    "first to two": first_to_two,
    "one number": one_number,
    "ours": two_numbers,
}


def measure(
    quick: bool = False, *, runs: int | None = None, tasks: int = TASKS
) -> list[Part]:
    """Count in four ways, with and without attackers; then ask one by one."""
    seeds = range(SEED, SEED + (runs or (3 if quick else RUNS)))
    rows: list[Row] = []
    asked: list[Row] = []
    for attack in (None, *ATTACKS):
        trials = [trial(seed, attack, tasks) for seed in seeds]
        name = attack.name if attack else "nobody attacks"
        rows += _counted(f"votes.{name_in_keys(name)}", name, trials)
        asked += _asked(f"votes.{name_in_keys(name)}", name, trials)
    about = (
        f"{len(seeds)} crowds of {ACCOUNTS} accounts, {LAZY:.0%} of them lazy, and "
        f"{tasks} tasks of {VOTES} votes; {ATTACKERS:.0%} of all votes are attackers', on "
        "top of the same others."
    )
    return [
        Part("Votes: what is found to be true", about, rows),
        Part(
            "Votes: asking one after the other",
            f"{ASKED} new tasks each, by reputations learnt from the votes above.",
            asked,
        ),
        Part("Votes: two things more", "", [*_rare(seeds, tasks), _time(tasks)]),
    ]


def name_in_keys(name: str) -> str:
    """Return a name as part of a key."""
    return name.replace(",", "").replace(" ", "_")


def _counted(key: str, name: str, trials: list[Trial]) -> Iterator[Row]:
    for way, count in WAYS.items():
        found = [(each, count(each.cast)) for each in trials]
        rights = [right(posteriors, each.truth) for each, posteriors in found]
        taken = [
            mean(posteriors[task] > 0.5 for task in each.targets)
            for each, posteriors in found
        ]
        at = f"{key}.{name_in_keys(way)}"
        yield Row(f"{at}.accuracy", f"{name}: {way}, accuracy", mean(rights), "")
        yield Row(f"{at}.worst", "  … of the worst run", min(rights), "")
        what = "false taken for true" if name == "nobody attacks" else "attack succeeds"
        yield Row(f"{at}.taken", f"  {what}", mean(taken), "")


def right(posteriors: Posteriors, truth: Mapping[str, bool]) -> float:
    """Return the share of what is found out; what is even is half found."""
    return mean(
        0.5 if posteriors[task] == 0.5 else float((posteriors[task] > 0.5) == true)
        for task, true in truth.items()
    )


def _asked(key: str, name: str, trials: list[Trial]) -> Iterator[Row]:
    for way, ours in (("two distinct", False), ("ours", True)):
        done = [
            each
            for at, it in enumerate(trials)
            for each in it.asked(
                random.Random(at), learn_from(it.cast) if ours else Reputations()
            )
        ]
        decided = [
            each for each in done if each[1] is not CandidateVerdict.ASK_MODERATOR
        ]
        share = mean((it[1] is CandidateVerdict.CONFIRMED) == it[2] for it in decided)
        at_ = f"{key}.asked.{name_in_keys(way)}"
        yield Row(
            f"{at_}.votes", f"{name}: {way}, votes", mean(it[0] for it in done), ""
        )
        yield Row(f"{at_}.right", "  of what was decided, right", share, "")
        left = 1.0 - len(decided) / len(done)
        yield Row(f"{at_}.moderator", "  left to a moderator", left, "")


def _rare(seeds: range, tasks: int) -> Iterator[Row]:
    """Yield the share of true ones among accepted statements, if few are true."""
    trials = [trial(seed, None, tasks, truths=0.12) for seed in seeds]
    for way, count in WAYS.items():
        taken, true, both = 0, 0, 0
        for each in trials:
            posteriors = count(each.cast)
            said = {task for task in each.truth if posteriors[task] > 0.5}
            real = {task for task, is_true in each.truth.items() if is_true}
            taken, true, both = (
                taken + len(said),
                true + len(real),
                both + len(said & real),
            )
        key = f"votes.rare.{name_in_keys(way)}"
        yield Row(f"{key}.precision", f"12 % true: {way}, precision", both / taken, "")
        yield Row(f"{key}.recall", "  recall", both / true, "")


def _time(tasks: int) -> Row:
    cast = trial(SEED, None, tasks).cast
    seconds = []
    for _ in range(5):
        started = time.process_time()
        learn_from(cast)
        seconds.append(time.process_time() - started)
    return timed(
        "votes.learn", f"reputations of {tasks * VOTES:,} votes", Samples(seconds)
    )
