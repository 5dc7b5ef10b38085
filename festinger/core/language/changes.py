"""Read changes that a clause states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clausereading import ClauseReading
from festinger.core.language.clauses import ClauseWord, without_past
from festinger.core.language.endings import read_ended, read_stopped
from festinger.core.language.moves import read_moved
from festinger.core.language.takeovers import (
    read_chosen,
    read_renamed,
    read_replaced,
    read_taken_over,
)
from festinger.core.language.verbforms import BE, HAVE


def read_change(
    words: Sequence[ClauseWord], speaker: str, *, dated: bool
) -> list[ClauseReading]:
    """Return the change that a clause states; empty if it is unclear.

    Args:
        words: Words without introduction and tail.
        speaker: Name of the speaker.
        dated: Whether the clause says that it holds from today: then `is moving` is no
            plan.
    """
    words = _with_particle(_as_done(without_past(words)))
    small = [word.small for word in words]
    for read in (
        read_taken_over,
        read_renamed,
        read_replaced,
        read_chosen,
        read_ended,
        read_stopped,
        read_moved,
    ):
        if found := read(words, small, speaker, dated):
            return [found._replace(changes=True)]
    return []


def _with_particle(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return "they called the fair off" as "they called off the fair"."""
    for at, word in enumerate(words[:-2]):
        if word.small == "called" and words[-1].small == "off":
            return [*words[: at + 1], words[-1], *words[at + 1 : -1]]
    return words


_DONE: Final = {
    "moving": "moved",
    "migrating": "migrated",
    "switching": "switched",
    "porting": "ported",
    "upgrading": "upgraded",
    "renaming": "renamed",
    "replacing": "replaced",
}
_FINISHED: Final = frozenset(["finished", "done", "completed"])


def _as_done(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return "we are done moving it to …" as "we moved it to …"."""
    for at in range(len(words) - 1):
        past = _DONE.get(words[at + 1].small)
        if words[at].small in _FINISHED and past:
            agent = [it for it in words[:at] if it.small not in BE | HAVE]
            return [*agent, ClauseWord(past, past), *words[at + 2 :]]
    return words
