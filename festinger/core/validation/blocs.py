"""Accounts that always vote alike, which count as one (I5).

Honest raters agree too: because they are right. What gives a bloc away is being wrong
together. So two accounts vote alike if

- they share at least 20 tasks and differ in at most a tenth of them,
- at least 5 times both said what is probably wrong, and
- that is nine times as often as they differ.

Two honest raters who err one time in ten, each on their own, are wrong together once in a
hundred tasks and differ in eighteen. What is probably wrong is known from gold, and from
what all others say, where those that hardly ever differ speak with one voice: a bloc of
any size has one then, and so have the best raters. Where that decides nothing nobody is
found to vote alike; accounts that say the same to everything are then told by their
skills alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from festinger.core.validation.fitting import fit
from festinger.core.validation.votes import Tally, together

SHARED_MIN = 20
DIFFER_MAX = 0.1
"""Of the tasks that both answered."""
WRONG_MIN = 5
WRONG_TO_DIFFER_MIN = 9
SURE = 0.9
"""From which posterior on, either way, an answer is probably wrong."""


def blocs(tally: Tally, gold: Mapping[str, bool]) -> dict[str, str]:
    """The bloc of each account that is in one, called by the first of its accounts."""
    records = _records(tally)
    near = list(_near(tally, records))
    if not near:
        return {}
    voice_of = _joined(near)
    voices = {task: together(answers, voice_of) for task, answers in tally.items()}
    true, false = _mask(tally, fit(voices, gold).posteriors)
    return _joined(
        (one, other)
        for one, other in near
        if records[one].alike(records[other], true, false)
    )


class _Record:
    """What an account said, as sets of tasks: a bit for each."""

    __slots__ = ("no", "yes")

    def __init__(self) -> None:
        self.yes = 0
        self.no = 0

    def shared(self, other: _Record) -> int:
        """How many tasks both answered."""
        return ((self.yes | self.no) & (other.yes | other.no)).bit_count()

    def differ(self, other: _Record) -> int:
        """In how many they differ."""
        return (self.yes & other.no | self.no & other.yes).bit_count()

    def near(self, other: _Record) -> bool:
        """Whether they differ so seldom that it may be no accident."""
        shared = self.shared(other)
        return shared >= SHARED_MIN and self.differ(other) <= DIFFER_MAX * shared

    def alike(self, other: _Record, true: int, false: int) -> bool:
        """Whether they are wrong together, and hardly ever otherwise."""
        wrong = (self.yes & other.yes & false | self.no & other.no & true).bit_count()
        differ = self.differ(other)
        return wrong >= WRONG_MIN and wrong >= WRONG_TO_DIFFER_MIN * differ


def _records(tally: Tally) -> dict[str, _Record]:
    """What each account said that answered enough to be compared."""
    answered = Counter(rater for answers in tally.values() for rater in answers)
    records = {
        rater: _Record() for rater in sorted(answered) if answered[rater] >= SHARED_MIN
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


def _near(tally: Tally, records: Mapping[str, _Record]) -> Iterator[tuple[str, str]]:
    """The pairs that differ seldom."""
    for one, other in _pairs(tally, records):
        if records[one].near(records[other]):
            yield one, other


def _pairs(tally: Tally, records: Mapping[str, _Record]) -> Iterable[tuple[str, str]]:
    """The pairs that may share enough tasks: by account or by task, whichever is fewer."""
    of_task = [
        [rater for rater in sorted(answers) if rater in records]
        for answers in tally.values()
    ]
    if sum(len(each) ** 2 for each in of_task) >= len(records) ** 2:
        return combinations(records, 2)
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
