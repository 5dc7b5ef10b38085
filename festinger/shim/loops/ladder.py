"""Which rung a loop is met with: one more with every further repeat.

It is read off the conversation itself, and nothing is remembered for it. So the very
same request meets the same rung again, also after a restart, and conversations that
begin alike do not disturb each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final

from festinger.config import LoopRule, LoopRung, LoopSettings
from festinger.shim.loops.rules import Loop

ORDER: Final = tuple(LoopRung)
"""The rungs, lowest first."""

# Nothing was repeated, so there is nothing to say otherwise or to leave out.
_FOR_CAP: Final = frozenset({LoopRung.FORBID, LoopRung.STOP})

_THRESHOLDS: Final[Mapping[LoopRule, Callable[[LoopSettings], int]]] = {
    LoopRule.ERROR: attrgetter("errors"),
    LoopRule.REPEAT: attrgetter("repeats"),
    LoopRule.CYCLE: attrgetter("cycle_rounds"),
    LoopRule.NEAR: attrgetter("near_repeats"),
    LoopRule.CAP: attrgetter("turns_max"),
}


def rungs(loop: Loop, settings: LoopSettings) -> tuple[LoopRung, ...]:
    """The rungs that are climbed, lowest first; those below stay in force.

    Args:
        loop: What is repeated.
        settings: The thresholds, each of which is the first rung, and the rungs.
    """
    height = loop.count - _THRESHOLDS[loop.rule](settings) + 1
    ladder = [
        rung
        for rung in ORDER
        if rung in settings.rungs
        and (loop.rule is not LoopRule.CAP or rung in _FOR_CAP)
    ]
    return tuple(ladder[:height])
