"""Escalation of countermeasures (rungs): one more with every further repeat.

The rungs depend on the conversation alone, so that the same request gets the same rungs
again, also after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final

from festinger.config import LoopRule, LoopRung, LoopSettings
from festinger.shim.loops.rules import Loop

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
