"""What is a loop: one function a rule, each from the newest turn backwards.

    error   the same call again, which fails every time
    repeat  the same turn again, with the same result
    cycle   two to five turns, round and round
    near    almost the same turn again
    cap     too many turns without a word of the user's

If the result changed, it is no loop. A user's message is a part of the result, so that
a new one ends every repetition; a client's "continue", alike each time, does not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from festinger.config import LoopRule, LoopSettings
from festinger.shim.loops.turns import AssistantTurn, similarity

# The settings permit ten rounds of ten turns, and each further rung takes a round.
COUNTED_MAX: Final = 150
"""Turns that are compared, the newest. Further repeats are not counted."""

NEAR_WORDS_MIN: Final = 10
"""Acts of fewer words are not compared by likeness."""

_SAME_ERROR: Final = 0.5
"""Errors that share this part of their words are of one kind."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A repetition that ends with the newest turn.

    Attributes:
        rule: Which rule found it.
        count: How often it happened.
        unit: The number of turns that make one time.
        turns: The number of turns in all.
        names: The tools that were called.
    """

    rule: LoopRule
    count: int
    unit: int
    turns: int
    names: tuple[str, ...] = ()


Turns = Sequence[AssistantTurn]
"""The newest first."""


def find(
    turns: Turns, settings: LoopSettings, off: Collection[LoopRule] = ()
) -> Loop | None:
    """The first loop that a rule finds.

    Args:
        turns: The newest first.
        settings: The thresholds, and which rules are on.
        off: Rules that this request goes without.
    """
    for name, rule in RULES.items():
        if (
            name in settings.rules
            and name not in off
            and (loop := rule(turns, settings))
        ):
            return loop
    return None


def error(turns: Turns, settings: LoopSettings) -> Loop | None:
    """The same call again and again, with an error of the same kind each time."""
    # A look at the one that decides spares a look for errors, which is dear.
    if len(turns) < settings.errors or not turns[0].said.calls:
        return None
    newest = turns[0]
    if not turns[settings.errors - 1].same_act(newest):
        return None

    def is_same(turn: AssistantTurn) -> bool:
        failed = turn.outcome.failed and not turn.outcome.by_user
        return turn.same_act(newest) and failed and _same_error(turn, newest)

    count = _run(turns, is_same)
    return _found(LoopRule.ERROR, turns, count) if count >= settings.errors else None


def repeat(turns: Turns, settings: LoopSettings) -> Loop | None:
    """The same turn again and again, with the same result."""
    decides = settings.repeats - 1
    if len(turns) <= decides or not turns[decides].same(turns[0]):
        return None  # as it would be found below, and dearer
    count = _run(turns, lambda turn: turn.same(turns[0]))
    return _found(LoopRule.REPEAT, turns, count) if count >= settings.repeats else None


def cycle(turns: Turns, settings: LoopSettings) -> Loop | None:
    """A few turns, round and round, with the same results."""
    for unit in range(2, settings.cycle_turns_max + 1):
        pairs = zip(turns, turns[unit:COUNTED_MAX], strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0].same(pair[1]), pairs))
        count = (same + unit) // unit
        if count >= settings.cycle_rounds and not _are_one(turns[:unit]):
            return _found(LoopRule.CYCLE, turns, count, unit, same + unit)
    return None


def near(turns: Turns, settings: LoopSettings) -> Loop | None:
    """Almost the same turn again and again, and nothing new came of it.

    Calls that differ a little are work, as editing is, unless all of them fail alike.
    """
    if len(turns) < settings.near_repeats:
        return None
    newest = turns[0]
    if not turns[settings.near_repeats - 1].outcome.same(newest.outcome):
        return None  # as it would be found below, and dearer
    if len(newest.act.words) < NEAR_WORDS_MIN:
        return None

    def is_near(turn: AssistantTurn) -> bool:
        if turn.act.names != newest.act.names or turn.act.polls:
            return False
        if similarity(turn.act.words, newest.act.words) < settings.near_similarity:
            return False
        if turn.act.names and not turn.outcome.failed:
            return False
        return turn.outcome.same(newest.outcome)

    count = _run(turns, is_near)
    return (
        _found(LoopRule.NEAR, turns, count) if count >= settings.near_repeats else None
    )


def cap(turns: Turns, settings: LoopSettings) -> Loop | None:
    """Too many turns since the user spoke, whatever was said."""
    if len(turns) < settings.turns_max:
        return None
    # What follows a turn comes before the next one.
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


def _run(turns: Turns, belongs: Callable[[AssistantTurn], bool]) -> int:
    """How many of the newest turns belong together."""
    return sum(1 for _ in takewhile(belongs, turns[:COUNTED_MAX]))


def _found(
    rule: LoopRule, turns: Turns, count: int, unit: int = 1, length: int = 0
) -> Loop:
    names = {name for turn in turns[:unit] for name in turn.act.names}
    return Loop(rule, count, unit, length or count, tuple(sorted(names)))


def _are_one(turns: Turns) -> bool:
    """Whether a round is one turn only, which is for another rule to judge."""
    return all(turn.same(turns[0]) for turn in turns)


def _same_error(one: AssistantTurn, other: AssistantTurn) -> bool:
    if one.outcome.same(other.outcome):
        return True
    ours, theirs = one.outcome.words, other.outcome.words
    return len(ours & theirs) >= _SAME_ERROR * len(ours | theirs)
