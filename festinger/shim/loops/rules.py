"""Rules that define a loop, one function each, from the newest turn backwards.

    error   the same call repeated, which fails every time
    repeat  the same turn repeated, with the same result
    cycle   a sequence of two to five turns repeated
    near    almost the same turn repeated
    cap     too many turns without a message of the user's

If the result changed, it is no loop. A user's message is a part of the result, so that
a new one ends every repetition; a client's "continue", the same each time, does not.

The countermeasures (rungs) depend on the conversation alone, so that the same request
gets the same rungs again, also after a restart: one more with every further repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import Final

from festinger.config import LoopRule, LoopRung, LoopSettings
from festinger.shim.loops.turns import AssistantTurn, similarity

# The settings permit ten rounds of ten turns, and each further rung takes a round.
COUNTED_MAX: Final = 150
"""Maximum number of turns that are compared; repeats before them are not counted."""

NEAR_WORDS_MIN: Final = 10
"""Minimum words of an act that is compared by similarity."""

_SAME_ERROR: Final = 0.5
"""Minimum share of common words of two errors that count as the same."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A repetition that ends with the newest turn.

    Attributes:
        unit: Number of turns of one repeat.
        turns: Total number of turns.
    """

    rule: LoopRule
    count: int
    unit: int
    turns: int
    names: tuple[str, ...] = ()


Turns = Sequence[AssistantTurn]
"""Turns of a conversation, newest first."""


def find(
    turns: Turns, settings: LoopSettings, off: Collection[LoopRule] = ()
) -> Loop | None:
    """Return the loop that the first matching rule finds; None if there is none."""
    # In the order of RULES: the most certain rule first, and the cap last.
    for name, rule in RULES.items():
        if (
            name in settings.rules
            and name not in off
            and (loop := rule(turns, settings))
        ):
            return loop
    return None


def error(turns: Turns, settings: LoopSettings) -> Loop | None:
    """Find the same call repeated, with a similar error each time."""
    # Comparing the turn at the threshold first saves the costly search for errors.
    if len(turns) < settings.errors or not turns[0].said.calls:
        return None
    newest = turns[0]
    if not turns[settings.errors - 1].same_act(newest):
        return None

    def is_same(turn: AssistantTurn) -> bool:
        """Return whether a turn is the same act with the same error."""
        # A message of the user's may hold the word "error" and is no result.
        failed = turn.outcome.failed and not turn.outcome.by_user
        return turn.same_act(newest) and failed and _same_error(turn, newest)

    count = _run(turns, is_same)
    return _found(LoopRule.ERROR, turns, count) if count >= settings.errors else None


def repeat(turns: Turns, settings: LoopSettings) -> Loop | None:
    """Find the same turn repeated, with the same result."""
    decides = settings.repeats - 1
    if len(turns) <= decides or not turns[decides].same(turns[0]):
        return None  # the same result as below, at lower cost
    count = _run(turns, lambda turn: turn.same(turns[0]))
    return _found(LoopRule.REPEAT, turns, count) if count >= settings.repeats else None


def cycle(turns: Turns, settings: LoopSettings) -> Loop | None:
    """Find a sequence of a few turns repeated, with the same results."""
    # A longer sequence needs even more turns.
    longest = min(settings.cycle_turns_max, len(turns) // settings.cycle_rounds)
    for unit in range(2, longest + 1):
        # Each turn is compared with the one a cycle before it.
        pairs = zip(turns, turns[unit:COUNTED_MAX], strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0].same(pair[1]), pairs))
        count = (same + unit) // unit
        # The same turn over and over is a cycle of any length.
        if count >= settings.cycle_rounds and not _are_one(turns[:unit]):
            return _found(LoopRule.CYCLE, turns, count, unit, same + unit)
    return None


def near(turns: Turns, settings: LoopSettings) -> Loop | None:
    """Find almost the same turn repeated, with the same result."""
    if len(turns) < settings.near_repeats:
        return None
    newest = turns[0]
    if not turns[settings.near_repeats - 1].outcome.same(newest.outcome):
        return None  # the same result as below, at lower cost
    # A few words may be alike by chance, such as "ls src" and "ls lib".
    if len(newest.act.words) < NEAR_WORDS_MIN:
        return None

    def is_near(turn: AssistantTurn) -> bool:
        """Return whether a turn is nearly the same act."""
        if turn.act.names != newest.act.names or turn.act.polls:
            return False
        if similarity(turn.act.words, newest.act.words) < settings.near_similarity:
            return False
        # Calls that differ a little and succeed are progress, such as edits.
        if turn.act.names and not turn.outcome.failed:
            return False
        return turn.outcome.same(newest.outcome)

    count = _run(turns, is_near)
    return (
        _found(LoopRule.NEAR, turns, count) if count >= settings.near_repeats else None
    )


def cap(turns: Turns, settings: LoopSettings) -> Loop | None:
    """Find too many turns since the user's last message, whatever their content."""
    if len(turns) < settings.turns_max:
        return None
    # A turn's outcome comes before the next turn.
    spoken = takewhile(lambda turn: not turn.outcome.by_user, turns)
    count = sum(1 for _ in spoken)
    if count < settings.turns_max:
        return None
    return Loop(LoopRule.CAP, count, unit=1, turns=count)


RULES: Final[Mapping[LoopRule, Callable[[Turns, LoopSettings], Loop | None]]] = {
    LoopRule.ERROR: error,
    LoopRule.REPEAT: repeat,
    LoopRule.CYCLE: cycle,
    LoopRule.NEAR: near,
    LoopRule.CAP: cap,
}


ORDER: Final = tuple(LoopRung)
"""All rungs, lowest first."""

# Nothing was repeated, so changing the sampling or omitting turns would not help.
_FOR_CAP: Final = frozenset({LoopRung.FORBID, LoopRung.STOP})

_THRESHOLDS: Final[Mapping[LoopRule, Callable[[LoopSettings], int]]] = {
    LoopRule.ERROR: attrgetter("errors"),
    LoopRule.REPEAT: attrgetter("repeats"),
    LoopRule.CYCLE: attrgetter("cycle_rounds"),
    LoopRule.NEAR: attrgetter("near_repeats"),
    LoopRule.CAP: attrgetter("turns_max"),
}


def rungs(loop: Loop, settings: LoopSettings) -> tuple[LoopRung, ...]:
    """Return the rungs in force, lowest first.

    Args:
        settings: The enabled rungs, and the thresholds: at its rule's threshold the
            first rung applies, and each further repeat adds one.
    """
    height = loop.count - _THRESHOLDS[loop.rule](settings) + 1
    ladder = [
        rung
        for rung in ORDER
        if rung in settings.rungs
        and (loop.rule is not LoopRule.CAP or rung in _FOR_CAP)
    ]
    # Rungs that are switched off are skipped, not waited for.
    return tuple(ladder[:height])


def _run(turns: Turns, belongs: Callable[[AssistantTurn], bool]) -> int:
    """Return the number of successive turns, from the newest, that match."""
    return sum(1 for _ in takewhile(belongs, turns[:COUNTED_MAX]))


def _found(
    rule: LoopRule, turns: Turns, count: int, unit: int = 1, length: int = 0
) -> Loop:
    # One repeat has all names.
    names = {name for turn in turns[:unit] for name in turn.act.names}
    return Loop(rule, count, unit, length or count, tuple(sorted(names)))


def _are_one(turns: Turns) -> bool:
    """Return whether all turns of a sequence are the same: `repeat` finds those."""
    return all(turn.same(turns[0]) for turn in turns)


def _same_error(one: AssistantTurn, other: AssistantTurn) -> bool:
    if one.outcome.same(other.outcome):
        return True
    # Errors often hold a time, a path or a number that differs.
    ours, theirs = one.outcome.words, other.outcome.words
    return len(ours & theirs) >= _SAME_ERROR * len(ours | theirs)
