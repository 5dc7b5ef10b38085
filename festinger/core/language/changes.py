"""Read what a clause says has changed."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.language.clausereading import ClauseReading
from festinger.core.language.clauses import ClauseWord, without_past
from festinger.core.language.endings import read_ended, read_stopped
from festinger.core.language.moves import read_moved
from festinger.core.language.takeovers import (
    read_renamed,
    read_replaced,
    read_taken_over,
)


def read_change(
    words: Sequence[ClauseWord], speaker: str, *, dated: bool
) -> list[ClauseReading]:
    """Return what a clause says has changed; nothing if that is not plain.

    Args:
        words: Without what introduces and follows it.
        speaker: Whose words they are.
        dated: Whether it is said that it is so from today: then `is moving` is no plan.
    """
    words = without_past(words)
    small = [word.small for word in words]
    for read in (
        read_taken_over,
        read_renamed,
        read_replaced,
        read_ended,
        read_stopped,
        read_moved,
    ):
        if found := read(words, small, speaker, dated):
            return [found._replace(changes=True)]
    return []
