"""Detection of accounts that always vote alike, which count as one (I5).

Honest raters agree too, because they are right. A bloc is recognised by common errors.
Accounts vote alike if, of the tasks that they share,

- they differ in at most a tenth,
- all are probably wrong in at least 5 tasks, and in at least one of twenty,
- and they are wrong together at least three times as often as they differ.

Two honest raters with independent errors in one task of ten are wrong together in one
of a hundred tasks, and differ in eighteen. The probable errors follow from gold labels,
and from the votes of all others when the suspected accounts count as a single vote; so
a bloc of any size has one vote, and so have the best raters. The others must agree with
one another more than by chance; else only gold labels are used. Where these decide
nothing, no bloc is found; accounts that give the same answer to everything are then
recognised by their skills alone.

Two accounts are compared if they share at least 20 tasks. Accounts of one script of
which no two share that many tasks form a camp: while all are believed, they look as if
they were never wrong. So the accounts that look nearly perfect are compared as a group.
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
"""Maximum share of the shared tasks in which a bloc differs."""
WRONG_MIN = 5
WRONG_SHARE_MIN = 0.05
WRONG_TO_DIFFER_MIN = 3
SURE = 0.9
"""Posterior (or 1 - posterior) from which the opposite answer is probably wrong."""
PERFECT = 0.8
"""Informedness (`Skill.told`) from which an account may be in a camp."""
CAMPS_MAX = 3
AGREE_MIN = 5.0
"""Minimum agreement of the others, in standard deviations of agreement by chance."""


def blocs(tally: Tally, gold: Mapping[str, bool]) -> dict[str, str]:
    """Return the bloc of each account that is in one, named by its first account."""
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
    """Return whether accounts agree too much, and in too many errors, for chance.

    Args:
        shared: Number of tasks that they share.
        differ: Number of these in which they differ.
        wrong: Number of these in which all are probably wrong.
    """
    return (
        differ <= DIFFER_MAX * shared
        and wrong >= max(WRONG_MIN, WRONG_SHARE_MIN * shared)
        and wrong >= WRONG_TO_DIFFER_MIN * differ
    )


def _alike(tally: Tally, gold: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of accounts that vote alike."""
    records = _records(tally)
    near = list(_near(tally, records))
    if not near:
        return
    true, false = _mask(tally, _probable(tally, gold, _joined(near)))
    for one, other in near:
        if records[one].alike(records[other], true, false):
            yield one, other


def _camp(tally: Tally, gold: Mapping[str, bool]) -> list[str]:
    """Return the accounts that look nearly perfect, if they vote alike as a group."""
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
    """Return the posterior of each task, with the suspected accounts as single votes.

    If the others do not agree enough, only the gold labels are returned.

    Args:
        voice_of: The suspected group of each suspected account, by its name.
    """
    if _agreement(tally, voice_of) < AGREE_MIN:
        return gold
    return fit(_counted(tally, voice_of), gold).posteriors


def _agreement(tally: Tally, accused: Collection[str]) -> float:
    """Return the agreement of all others, in standard deviations of chance agreement.

    The deviations of two raters' answers from their usual share of yes have a product
    with mean 0 if the raters answer at random, and a positive mean if they do not.

    Args:
        accused: The suspected accounts, which are left out.
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
    """Return the sum of the products of all pairs."""
    whole = sum(values)
    return (whole * whole - sum(value * value for value in values)) / 2


def _answered(tally: Tally) -> Counter[str]:
    """Return the number of tasks that each account answered."""
    return Counter(rater for answers in tally.values() for rater in answers)


class _AccountRecord:
    """The answers of an account, as bit sets of tasks."""

    __slots__ = ("no", "yes")

    def __init__(self) -> None:
        self.yes = 0
        self.no = 0

    def shared(self, other: _AccountRecord) -> int:
        """Return the number of tasks that both answered."""
        return ((self.yes | self.no) & (other.yes | other.no)).bit_count()

    def differ(self, other: _AccountRecord) -> int:
        """Return the number of tasks in which they differ."""
        return (self.yes & other.no | self.no & other.yes).bit_count()

    def near(self, other: _AccountRecord) -> bool:
        """Return whether they share enough tasks and differ in few of them."""
        shared = self.shared(other)
        return shared >= SHARED_MIN and self.differ(other) <= DIFFER_MAX * shared

    def alike(self, other: _AccountRecord, true: int, false: int) -> bool:
        """Return whether they vote alike, given bit sets of true and false tasks."""
        wrong = (self.yes & other.yes & false | self.no & other.no & true).bit_count()
        return _too_alike(self.shared(other), self.differ(other), wrong)


def _records(tally: Tally) -> dict[str, _AccountRecord]:
    """Return the answers of each account with enough of them to be compared."""
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
    """Yield the pairs that differ in few tasks.

    Accounts of identical answers are paired with the first of them only.
    """
    first: dict[tuple[int, int], str] = {}
    for rater, record in records.items():
        same = first.setdefault((record.yes, record.no), rater)
        if same != rater:
            yield same, rater
    for one, other in _pairs(tally, set(first.values())):
        if records[one].near(records[other]):
            yield one, other


def _pairs(tally: Tally, raters: Collection[str]) -> Iterable[tuple[str, str]]:
    """Return the pairs that may share enough tasks.

    These are all pairs, or the pairs counted task by task, if that is less work.
    """
    of_task = [
        [rater for rater in sorted(answers) if rater in raters]
        for answers in tally.values()
    ]
    if sum(len(each) ** 2 for each in of_task) >= len(raters) ** 2:
        return combinations(sorted(raters), 2)
    met = Counter(pair for each in of_task for pair in combinations(each, 2))
    return sorted(pair for pair, times in met.items() if times >= SHARED_MIN)


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the connected groups of pairs: the first member's name, by member."""
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
    """Return the bit sets of tasks that are probably true, and probably false."""
    true, false = [], []
    for at, task in enumerate(sorted(tally)):
        posterior = posteriors.get(task, 0.5)
        if posterior >= SURE:
            true.append(at)
        elif posterior <= 1.0 - SURE:
            false.append(at)
    return _bits(true, len(tally)), _bits(false, len(tally))


def _bits(places: Iterable[int], size: int) -> int:
    """Return a set of tasks as a bit set."""
    data = bytearray(size // 8 + 1)
    for place in places:
        data[place // 8] |= 1 << place % 8
    return int.from_bytes(data, "little")
