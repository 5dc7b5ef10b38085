"""Which rung a loop is met with: one more with every further repeat.

Where a session stands is a value. It changes only if the conversation went on, so that
a client that sends the very same request again meets the same rung.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from festinger.config import LoopRule, LoopRung
from festinger.shim.jsontext import dump
from festinger.shim.loops.rules import Loop
from festinger.shim.loops.turns import Turn

ORDER: Final = tuple(LoopRung)
"""The rungs, lowest first."""

# Nothing was repeated, so there is nothing to say otherwise or to leave out.
_FOR_CAP: Final = frozenset({LoopRung.FORBID, LoopRung.STOP})


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a session stands on the ladder.

    Attributes:
        height: How many rungs it has climbed; 0 on the ground.
        turns: How many turns it took on this one.
        position: Where in the conversation that was.
    """

    height: int = 0
    turns: int = 0
    position: bytes = b""


GROUND: Final = Standing()


def climb(standing: Standing, loop: Loop | None, position: bytes) -> Standing:
    """Where a session stands after a request.

    Args:
        standing: Before it.
        loop: What was found in it; None if the loop, if there was one, has ended.
        position: Of its newest turn.
    """
    if loop is None:
        return GROUND
    if standing.position == position:
        return standing
    turns = standing.turns + 1
    if standing.height and turns < loop.unit:
        return Standing(standing.height, turns, position)  # within the same round
    return Standing(standing.height + 1, 0, position)


def rungs(
    standing: Standing, loop: Loop, enabled: Sequence[LoopRung]
) -> tuple[LoopRung, ...]:
    """The rungs that are climbed, lowest first; those below stay in force."""
    ladder = [
        rung
        for rung in ORDER
        if rung in enabled and (loop.rule is not LoopRule.CAP or rung in _FOR_CAP)
    ]
    return tuple(ladder[: standing.height])


def position_of(turns: Sequence[Turn]) -> bytes:
    """Names where a conversation stands; the same if it is sent again.

    What the client hangs on the end anew, such as the time, is no part of it.
    """
    newest = [entry.value for entry in turns[0].spoken] if turns else []
    total = blake2b(len(turns).to_bytes(4), digest_size=16)
    total.update(dump(newest).encode("utf-8", "surrogatepass"))
    return total.digest()
