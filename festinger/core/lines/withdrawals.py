"""Turns that the next message of their conversation takes back."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import islice
from typing import Final

from festinger.core.language.afterthoughts import is_withdrawal
from festinger.core.lines.line import IndexedLine, LineKind

LINES_MAX: Final = 200
"""Maximum number of lines that others may have said in between."""


class WithdrawnTurns:
    """Turns that were taken back, each with the turn that did so."""

    def __init__(self) -> None:
        self._by: dict[Hashable, Hashable] = {}

    def note(self, line: IndexedLine, recent: Iterable[IndexedLine]) -> None:
        """Note the turn that a turn takes back: "scratch that", "just kidding".

        Args:
            line: First line of a turn.
            recent: The lines before it, newest first.
        """
        if not line.session or not is_withdrawal(line.text):
            return
        for each in islice(recent, LINES_MAX):
            # Only one's own words can be taken back.
            if (
                each.kind is LineKind.UTTERANCE
                and each.session == line.session
                and each.speaker == line.speaker
                and each.key != line.key
            ):
                self._by[each.key] = line.key
                return

    def remove(self, key: Hashable) -> None:
        """Remove a turn that is forgotten or said again, and what it took back."""
        self._by.pop(key, None)
        if key in self._by.values():
            self._by = {turn: by for turn, by in self._by.items() if by != key}

    def has(self, line: IndexedLine) -> bool:
        """Return whether a sentence was taken back, or is the one that took back."""
        return bool(self._by) and (
            line.key in self._by
            or (line.ordinal == 0 and line.key in self._by.values())
        )

    def has_turn(self, key: Hashable) -> bool:
        """Return whether a turn was taken back."""
        return key in self._by
