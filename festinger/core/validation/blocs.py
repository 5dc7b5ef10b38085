"""Accounts that always vote alike, which count as one (I5).

Honest raters agree too: because they are right. What gives a bloc away is being wrong
together. So accounts vote alike if, of the tasks that they share,

- they differ in at most a tenth,
- all are probably wrong in at least 5, and in one of twenty,
- and at least three times as often as they differ.

Two honest raters who err one time in ten, each on their own, are wrong together once in a
hundred tasks and differ in eighteen. What is probably wrong is known from gold, and from
what all others say if those who may be a bloc speak with one voice; so does a bloc of any
size then, and so do the best raters. The others must agree with one another more than
chance would have it, or only gold tells. Where that decides nothing nobody is found to vote alike; accounts that say the same
to everything are then told by their skills alone.

Two accounts are compared if they share at least 20 tasks. Accounts of one script that
share few tasks two by two show as a camp: they are never wrong, if all are believed. So
those who look nearly perfect are compared as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt

from festinger.core.validation.fitting import fit
from festinger.core.validation.votes import Tally, together

SHARED_MIN = 20
DIFFER_MAX = 0.1
"""Of the tasks that they share."""
WRONG_MIN = 5
WRONG_SHARE_MIN = 0.05
WRONG_TO_DIFFER_MIN = 3
SURE = 0.9
"""From which posterior on, either way, an answer is probably wrong."""
PERFECT = 0.8
"""Whose answers tell so much, of 0 for chance to 1, may be of a camp."""
CAMPS_MAX = 3
AGREE_MIN = 5.0
"""By how many standard deviations the others must agree: who does not look does not."""


def blocs(tally: Tally, gold: Mapping[str, bool]) -> dict[str, str]:
    """The bloc of each account that is in one, called by the first of its accounts."""
    pairs = list(_alike(tally, gold))
    bloc_of = _joined(pairs)
    for _ in range(CAMPS_MAX):
        camp = _camp(_counted(tally, bloc_of), gold)
        if not camp:
            break
        pairs += [(camp[0], other) for other in camp[1:]]
        bloc_of = _joined(pairs)
    return bloc_of


def _counted(tally: Tally, bloc_of: Mapping[str, str]) -> Tally:
    return {task: together(answers, bloc_of) for task, answers in tally.items()}


def _too_alike(shared: int, differ: int, wrong: int) -> bool:
    """Whether it can be no accident that they agree."""
    return (
        differ <= DIFFER_MAX * shared
        and wrong >= max(WRONG_MIN, WRONG_SHARE_MIN * shared)
        and wrong >= WRONG_TO_DIFFER_MIN * differ
    )


def _alike(tally: Tally, gold: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """The pairs of accounts that vote alike."""
    records = _records(tally)
    near = list(_near(tally, records))
    if not near:
        return
    true, false = _mask(tally, _probable(tally, gold, _joined(near)))
    for one, other in near:
        if records[one].alike(records[other], true, false):
            yield one, other


def _camp(tally: Tally, gold: Mapping[str, bool]) -> list[str]:
    """The accounts that look nearly perfect, if they are only nearly alike."""
    answered = _answered(tally)
    camp = [
        rater
        for rater, skill in fit(tally, gold).skills.items()
        if skill.told >= PERFECT and answered[rater] >= SHARED_MIN
    ]
    if len(camp) < 2:
        return []
    posteriors = _probable(tally, gold, dict.fromkeys(camp, camp[0]))
    shared = differ = wrong = 0
    for task, answers in tally.items():
        said = [answers[rater] for rater in camp if rater in answers]
        if len(said) < 2:
            continue
        shared += 1
        if len(set(said)) > 1:
            differ += 1
        else:
            posterior = posteriors.get(task, 0.5)
            wrong += posterior <= 1.0 - SURE if said[0] else posterior >= SURE
    enough = shared >= SHARED_MIN
    return camp if enough and _too_alike(shared, differ, wrong) else []


def _probable(
    tally: Tally, gold: Mapping[str, bool], voice_of: Mapping[str, str]
) -> Mapping[str, float]:
    """How probably each task is true, as far as others than the accused say so."""
    if _agreement(tally, voice_of) < AGREE_MIN:
        return gold
    return fit(_counted(tally, voice_of), gold).posteriors


def _agreement(tally: Tally, accused: Collection[str]) -> float:
    """How much all others agree with one another, in standard deviations of chance.

    Of two who do not look, how far each answer is from what they usually say has no
    product on average; of two who do it has a positive one.
    """
    yes: Counter[str] = Counter()
    answered = _answered(tally)
    for answers in tally.values():
        yes.update(rater for rater, said in answers.items() if said)
    product = variance = 0.0
    for answers in tally.values():
        usual = [
            (said, yes[rater] / answered[rater])
            for rater, said in sorted(answers.items())
            if rater not in accused
        ]
        product += _pairs_of([said - share for said, share in usual])
        variance += _pairs_of([share * (1.0 - share) for _, share in usual])
    return product / sqrt(variance) if variance > 0.0 else 0.0


def _pairs_of(values: Sequence[float]) -> float:
    """The sum of the products of all pairs."""
    whole = sum(values)
    return (whole * whole - sum(value * value for value in values)) / 2


def _answered(tally: Tally) -> Counter[str]:
    """How many tasks each account answered."""
    return Counter(rater for answers in tally.values() for rater in answers)


class _AccountRecord:
    """What an account said, as sets of tasks: a bit for each."""

    __slots__ = ("no", "yes")

    def __init__(self) -> None:
        self.yes = 0
        self.no = 0

    def shared(self, other: _AccountRecord) -> int:
        """How many tasks both answered."""
        return ((self.yes | self.no) & (other.yes | other.no)).bit_count()

    def differ(self, other: _AccountRecord) -> int:
        """In how many they differ."""
        return (self.yes & other.no | self.no & other.yes).bit_count()

    def near(self, other: _AccountRecord) -> bool:
        """Whether they differ so seldom that it may be no accident."""
        shared = self.shared(other)
        return shared >= SHARED_MIN and self.differ(other) <= DIFFER_MAX * shared

    def alike(self, other: _AccountRecord, true: int, false: int) -> bool:
        """Whether they are wrong together, and hardly ever otherwise."""
        wrong = (self.yes & other.yes & false | self.no & other.no & true).bit_count()
        return _too_alike(self.shared(other), self.differ(other), wrong)


def _records(tally: Tally) -> dict[str, _AccountRecord]:
    """What each account said that answered enough to be compared."""
    answered = _answered(tally)
    records = {
        rater: _AccountRecord()
        for rater in sorted(answered)
        if answered[rater] >= SHARED_MIN
    }
    said: dict[tuple[str, bool], list[int]] = {}
    for at, task in enumerate(sorted(tally)):
        for rater, yes in tally[task].items():
            if rater in records:
                said.setdefault((rater, yes), []).append(at)
    for (rater, yes), tasks in said.items():
        if yes:
            records[rater].yes = _bits(tasks, len(tally))
        else:
            records[rater].no = _bits(tasks, len(tally))
    return records


def _near(
    tally: Tally, records: Mapping[str, _AccountRecord]
) -> Iterator[tuple[str, str]]:
    """The pairs that differ seldom; of accounts of the same answers each with the first."""
    first: dict[tuple[int, int], str] = {}
    for rater, record in records.items():
        same = first.setdefault((record.yes, record.no), rater)
        if same != rater:
            yield same, rater
    for one, other in _pairs(tally, set(first.values())):
        if records[one].near(records[other]):
            yield one, other


def _pairs(tally: Tally, raters: Collection[str]) -> Iterable[tuple[str, str]]:
    """The pairs that may share enough tasks: of all, or task by task if that is less."""
    of_task = [
        [rater for rater in sorted(answers) if rater in raters]
        for answers in tally.values()
    ]
    if sum(len(each) ** 2 for each in of_task) >= len(raters) ** 2:
        return combinations(sorted(raters), 2)
    met = Counter(pair for each in of_task for pair in combinations(each, 2))
    return sorted(pair for pair, times in met.items() if times >= SHARED_MIN)


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The groups that pairs make, by member: the name of the first of the group."""
    first: dict[str, str] = {}
    for pair in pairs:
        one, other = sorted(_first(first, each) for each in pair)
        first[other] = one
    return {each: _first(first, each) for each in sorted(first)}


def _first(first: dict[str, str], each: str) -> str:
    path = []
    while (above := first.setdefault(each, each)) != each:
        path.append(each)
        each = above
    for passed in path:
        first[passed] = each
    return each


def _mask(tally: Tally, posteriors: Mapping[str, float]) -> tuple[int, int]:
    """The tasks that are probably true, and those that are probably false."""
    true, false = [], []
    for at, task in enumerate(sorted(tally)):
        posterior = posteriors.get(task, 0.5)
        if posterior >= SURE:
            true.append(at)
        elif posterior <= 1.0 - SURE:
            false.append(at)
    return _bits(true, len(tally)), _bits(false, len(tally))


def _bits(places: Iterable[int], size: int) -> int:
    """A set of tasks as one number."""
    data = bytearray(size // 8 + 1)
    for place in places:
        data[place // 8] |= 1 << place % 8
    return int.from_bytes(data, "little")
