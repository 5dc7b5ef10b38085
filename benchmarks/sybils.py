"""Attacks by accounts that answer honestly first, and defences against them.

Seeded crowds answer statements, and 80 false ones that the attackers want to be believed.
Each attack is counted under each defence: how many targets are confirmed, and what the
defence costs where nobody attacks. The defences were chosen by the attacks in `TUNED`;
those in `HELD_OUT` were only measured.

In a blitz all targets are answered within a day, and decided with the weights of the
night before. How many are confirmed is counted on that evening, and on the next morning,
once the weights were learnt anew and confirmations revised.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import log
from statistics import mean, stdev

from benchmarks.report import Part, Row, Samples, timed
from benchmarks.votes import honest, lazy, name_in_keys
from festinger.core.validation.blocs import blocs
from festinger.core.validation.decision import (
    CONFIRM_MIN,
    REJECT_MAX,
    CandidateVerdict,
    by_community,
)
from festinger.core.validation.fitting import UNKNOWN, RaterSkill, fit, logit, sigmoid
from festinger.core.validation.lifecycle import stays
from festinger.core.validation.reputation import Reputations, learn_from
from festinger.core.validation.votes import Tally, together

RUNS, SEED = 10, 11
TASKS, TARGETS, VOTES = 400, 80, 5
ACCOUNTS, LAZY = 60, 0.2
CAMOUFLAGE, GOOD = 60, 0.9
"""Honest answers of each attacker, and how often they are right."""
DAYS = 10
"""Days over which the usual statements are spread; a blitz is on the last one."""
GOLD = 0.1
"""Share of the statements, never a target, whose truth is known."""

Found = Mapping[str, tuple[bool, float]]
"""Whether each statement is confirmed, and its posterior."""


@dataclass(frozen=True, slots=True)
class Ring:
    """An attack.

    Attributes:
        accounts: Number of accounts.
        each: Number of them that answer a target.
        honest: Honest answers of each account.
        lies: How often they give the agreed answer to a target; else they are honest.
        copies: Whether they copy the majority, instead of looking themselves.
        votes: Honest answers to a target.
        deny: Whether they deny what is true, instead of confirming what is false.
    """

    name: str
    accounts: int
    each: int
    honest: int = CAMOUFLAGE
    lies: float = 1.0
    copies: bool = False
    votes: int = VOTES
    deny: bool = False


TUNED = (
    Ring("3 of 3 camouflaged", 3, 3),
    Ring("5 of 5 camouflaged", 5, 5),
    Ring("3 of 10 camouflaged", 10, 3),
    Ring("3 of 40 camouflaged", 40, 3),
    Ring("5 of 40 camouflaged", 40, 5),
    Ring("slow burn, 7 of 10 are lies", 20, 5, honest=120, lies=0.7),
    Ring("large pool", 60, 4),
)
HELD_OUT = (
    Ring("copycats that flip", 20, 5, copies=True),
    Ring("ring at what few answer", 6, 4, votes=2),
    Ring("little camouflage", 15, 4, honest=25, lies=0.85),
    Ring("denies what is true", 20, 5, deny=True),
)


@dataclass(frozen=True, slots=True)
class Crowd:
    """Statements, their truth, and who answered them."""

    truth: dict[str, bool]
    cast: Tally
    gold: dict[str, bool]
    targets: frozenset[str]


def crowd(seed: int, ring: Ring | None, tasks: int = TASKS) -> Crowd:
    """Return the answers of a crowd; those of its honest people are the same always."""
    source = random.Random(seed)
    denied = bool(ring and ring.deny)
    truth = {f"s{at:05}": source.random() < 0.5 for at in range(tasks)}
    targets = [f"t{at:03}" for at in range(TARGETS)]
    truth |= dict.fromkeys(targets, denied)
    people = {
        f"p{at:03}": lazy(source) if at < LAZY * ACCOUNTS else honest(source)
        for at in range(ACCOUNTS)
    }
    names = sorted(people)
    cast: Tally = {}
    for task, true in truth.items():
        count = ring.votes if ring and task[0] == "t" else VOTES
        chosen = source.sample(names, count)
        cast[task] = {name: people[name](task, true) for name in chosen}
    usual = [task for task in truth if task[0] == "s"]
    gold = {task: truth[task] for task in source.sample(usual, round(GOLD * tasks))}
    if ring:
        _attack(source, ring, truth, cast, usual, targets)
    return Crowd(truth, cast, gold, frozenset(targets))


def _attack(
    source: random.Random,
    ring: Ring,
    truth: Mapping[str, bool],
    cast: Tally,
    usual: list[str],
    targets: list[str],
) -> None:
    """Add the answers of a ring."""
    names = [f"x{at:03}" for at in range(ring.accounts)]
    seen = {task: 2 * sum(it.values()) > len(it) for task, it in cast.items()}
    for name in names:
        for task in source.sample(usual, min(ring.honest, len(usual))):
            right = source.random() < GOOD
            cast[task][name] = seen[task] if ring.copies else truth[task] == right
    for task in targets:
        for name in source.sample(names, ring.each):
            lie = source.random() < ring.lies
            cast[task][name] = truth[task] != (lie or source.random() >= GOOD)


def _decided(
    cast: Tally, skills: Mapping[str, RaterSkill], prior: float, cap: float = 99.0
) -> Found:
    """Decide by the skills of raters; neither side counts for more than a cap."""
    found: dict[str, tuple[bool, float]] = {}
    for task, answers in cast.items():
        weights = [skills[rater].weight(yes) for rater, yes in answers.items()]
        yes = min(cap, sum(it for it in weights if it > 0.0))
        no = min(cap, -sum(it for it in weights if it < 0.0))
        posterior = sigmoid(logit(prior) + yes - no)
        enough = sum(answers.values()) >= 2
        found[task] = (posterior >= CONFIRM_MIN and enough, posterior)
    return found


def no_defence(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """Return two numbers a rater, and everybody is one."""
    found = fit(cast, gold)
    return _decided(cast, found.skills, found.prior)


def side_cap(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """Neither side counts for more than three new raters (a cap for groups)."""
    found = fit(cast, gold)
    return _decided(cast, found.skills, found.prior, 3 * UNKNOWN.weight(True))


def verified(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """Weight grows with answers to what is known, and with nothing else (seeded gold)."""
    known = {task: cast[task] for task in gold if task in cast}
    skills = defaultdict(lambda: UNKNOWN, fit(known, gold).skills)
    return _decided(cast, skills, fit(cast, gold).prior)


def beyond_chance(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """Weight is the agreement with all others beyond chance (kappa)."""
    agree: defaultdict[str, float] = defaultdict(float)
    count: Counter[str] = Counter()
    for answers in cast.values():
        for rater, yes in answers.items():
            same = sum(it == yes for it in answers.values()) - 1
            if len(answers) > 1:
                agree[rater] += same / (len(answers) - 1)
                count[rater] += 1
    skills = {}
    for rater, times in count.items():
        right = min(0.95, max(0.5, 0.5 + (agree[rater] / times - 0.5)))
        skills[rater] = RaterSkill(right, right)
    return _decided(cast, defaultdict(lambda: UNKNOWN, skills), 0.5)


def spending(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """A vote against most others costs three earned answers; who is broke is new."""
    found = fit(cast, gold)
    earned: Counter[str] = Counter()
    for answers in cast.values():
        lead = sum(1 if yes else -1 for yes in answers.values())
        for rater, yes in answers.items():
            others = lead - (1 if yes else -1)
            against = others * (1 if yes else -1) < 0
            earned[rater] += -3 if against else 1
    skills = {it: s if earned[it] > 0 else UNKNOWN for it, s in found.skills.items()}
    return _decided(cast, skills, found.prior)


def copying(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """Pairs that share too many mistakes count as one (Dong et al. 2009)."""
    found = fit(cast, gold)
    shared: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for task, answers in cast.items():
        true = found.posteriors[task]
        for one, other in combinations(sorted(answers), 2):
            same = answers[one] == answers[other]
            right = true if answers[one] else 1.0 - true
            for at, part in enumerate((same * right, same * (1 - right), 1 - same)):
                shared[one, other][at] += part
    bloc_of: dict[str, str] = {}
    for (one, other), (right, wrong, differ) in sorted(shared.items()):
        first, second = found.skills[one], found.skills[other]
        a, b = (first.told + 1) / 2, (second.told + 1) / 2
        joint, both = a * b, (1 - a) * (1 - b)
        copied = 0.8
        odds = right * log(copied * a / joint + 1 - copied)
        odds += wrong * log(copied * (1 - a) / both + 1 - copied)
        odds += differ * log(1 - copied)
        if odds > 5.0:
            bloc_of[other] = bloc_of.setdefault(one, one)
    counted = {task: together(it, bloc_of) for task, it in cast.items()}
    again = fit(counted, gold)
    return _decided(counted, again.skills, again.prior)


def common_factor(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """Find camps by a common factor; a rater who errs with one counts as part of it."""
    bloc_of = blocs(cast, gold)
    counted = {task: together(it, bloc_of) for task, it in cast.items()}
    found = fit(counted, gold)
    return _decided(counted, found.skills, found.prior)


def ours(cast: Tally, gold: Mapping[str, bool]) -> Found:
    """Return a common factor, and a side cap where one of a bloc has answered."""
    reputations = learn_from(cast, gold)
    decisions = {task: by_community(it, reputations) for task, it in cast.items()}
    return {
        task: (it.verdict is CandidateVerdict.CONFIRMED, it.posterior)
        for task, it in decisions.items()
    }


DEFENCES: dict[str, Callable[[Tally, Mapping[str, bool]], Found]] = {
    "none": no_defence,
    "copying": copying,
    "verified": verified,
    "beyond chance": beyond_chance,
    "spending": spending,
    "side cap": side_cap,
    "common factor": common_factor,
    "ours": ours,
}


def success(found: Found, those: Crowd) -> float:
    """Return the share of the targets of which attackers got what they want."""
    return mean(
        found[task][1] <= REJECT_MAX if those.truth[task] else found[task][0]
        for task in those.targets
    )


def auc(found: Found, those: Crowd) -> float:
    """Return how often a true statement is believed more than a false one."""
    usual = [task for task in found if task not in those.targets]
    false = sorted(found[task][1] for task in usual if not those.truth[task])
    return mean(
        (bisect_left(false, found[task][1]) + bisect_right(false, found[task][1]))
        / (2 * len(false))
        for task in usual
        if those.truth[task]
    )


def decided(found: Found) -> float:
    """Return the share of statements that need nobody else."""
    return mean(it >= CONFIRM_MIN or it <= REJECT_MAX for _, it in found.values())


@dataclass(frozen=True, slots=True)
class Blitz:
    """Results for targets that were all answered on one day.

    Attributes:
        evening: Share of the targets that is confirmed that day.
        morning: The same after the night's revision.
        true: Share of the true confirmations of all days that is held no more.
        false: The same of false ones that are no target.
    """

    evening: float
    morning: float
    true: float
    false: float


def blitz(those: Crowd) -> Blitz:
    """Decide day by day, learn each night, and revise what was confirmed."""
    usual = sorted(those.truth.keys() - those.targets)
    day = {task: at * DAYS // len(usual) for at, task in enumerate(usual)}
    day |= dict.fromkeys(those.targets, DAYS - 1)
    learnt = Reputations()
    held: set[str] = set()
    ever: set[str] = set()
    for today in range(DAYS):
        held |= {
            task
            for task in those.cast
            if day[task] == today and _is_confirmed(those.cast[task], learnt)
        }
        ever |= held
        evening = len(held & those.targets) / len(those.targets)
        learnt = learn_from(
            {task: it for task, it in those.cast.items() if day[task] <= today},
            {task: it for task, it in those.gold.items() if day[task] <= today},
        )
        held = {
            task
            for task in ever
            if _is_confirmed(those.cast[task], learnt)
            or (task in held and stays(by_community(those.cast[task], learnt)))
        }
    true = [task not in held for task in ever & {*usual} if those.truth[task]]
    false = [task not in held for task in ever & {*usual} if not those.truth[task]]
    morning = len(held & those.targets) / len(those.targets)
    return Blitz(evening, morning, mean(true or [0.0]), mean(false or [0.0]))


def _is_confirmed(answers: Mapping[str, bool], learnt: Reputations) -> bool:
    return by_community(answers, learnt).verdict is CandidateVerdict.CONFIRMED


def measure(
    quick: bool = False, *, runs: int | None = None, tasks: int = TASKS
) -> list[Part]:
    """Count each attack under each defence, and what the defences cost."""
    seeds = range(SEED, SEED + (runs or (2 if quick else RUNS)))
    about = (
        f"{len(seeds)} crowds of {ACCOUNTS} people, {LAZY:.0%} of them lazy, {tasks} "
        f"statements and {TARGETS} targets of {VOTES} votes, {GOLD:.0%} known; share of "
        "the targets for which an attack succeeds, and its standard deviation."
    )
    parts = [
        Part("Attacks: what defences cost", about, list(_costs(seeds, tasks))),
        Part("Attacks: tuned to", about, list(_attacks(TUNED, seeds, tasks))),
        Part("Attacks: held out", about, list(_attacks(HELD_OUT, seeds, tasks))),
        Part("Attacks: within a day", about, list(_blitzes(seeds, tasks))),
    ]
    return [*parts, Part("Attacks: time", "", [_time()])]


def _costs(seeds: range, tasks: int) -> Iterator[Row]:
    crowds = [crowd(seed, None, tasks) for seed in seeds]
    for name, defence in DEFENCES.items():
        found = [defence(each.cast, each.gold) for each in crowds]
        key = f"sybils.honest.{name_in_keys(name)}"
        areas = [auc(it, each) for it, each in zip(found, crowds, strict=True)]
        yield Row(f"{key}.auc", f"nobody attacks: {name}, AUC", mean(areas), "")
        shares = [decided(it) for it in found]
        yield Row(f"{key}.decided", "  decided by votes", mean(shares), "")


def _attacks(rings: tuple[Ring, ...], seeds: range, tasks: int) -> Iterator[Row]:
    for ring in rings:
        crowds = [crowd(seed, ring, tasks) for seed in seeds]
        for name, defence in DEFENCES.items():
            shares = [success(defence(it.cast, it.gold), it) for it in crowds]
            key = f"sybils.{name_in_keys(ring.name)}.{name_in_keys(name)}"
            yield Row(key, f"{ring.name}: {name}", mean(shares), "")
            if len(shares) > 1:
                yield Row(f"{key}.spread", "  deviation", stdev(shares), "")


def _blitzes(seeds: range, tasks: int) -> Iterator[Row]:
    # A revision looks at what was confirmed, and at no denial.
    rings = [None, *(it for it in (*TUNED, *HELD_OUT) if not it.deny)]
    for ring in rings:
        found = [blitz(crowd(seed, ring, tasks)) for seed in seeds]
        name = ring.name if ring else "nobody attacks"
        key = f"sybils.blitz.{name_in_keys(name)}"
        if ring:
            yield Row(f"{key}.evening", name, mean(it.evening for it in found), "")
            yield Row(
                f"{key}.morning", "  next day", mean(it.morning for it in found), ""
            )
        true = mean(it.true for it in found)
        yield Row(f"{key}.true", f"{name}: true ones taken back", true, "")
        false = mean(it.false for it in found)
        yield Row(f"{key}.false", "  false ones taken back", false, "")


def _time() -> Row:
    cast = crowd(SEED, TUNED[-1], 1_500).cast
    seconds = []
    for _ in range(3):
        started = time.process_time()
        learn_from(cast)
        seconds.append(time.process_time() - started)
    count = sum(map(len, cast.values()))
    return timed("sybils.learn", f"reputations of {count:,} votes", Samples(seconds))
