"""How clients name the lines of a block that no concept names: quotes and notes."""

from __future__ import annotations

import re
from collections.abc import Hashable
from hashlib import blake2b
from typing import Final, NamedTuple

from festinger.core.lines.index import IndexedLine, LineKind

_QUOTE: Final = re.compile(
    r"said (?P<turn>\d+)\.(?P<first>\d+)(?:-(?P<last>\d+))?"
    r"(?:>(?P<later>\d+)\.(?P<at>\d+))?@(?P<until>\d+)"
)
_NOTE: Final = re.compile(
    r"noted (?P<kind>entity|state|statement) (?P<key>[0-9a-f]+)@(?P<version>[0-9a-f]{8})"
)


class Quote(NamedTuple):
    """The source of a quotation in a block: utterances of a turn, and what was said later.

    Attributes:
        turn: The turn's number.
        ordinals: Which of its utterances.
        later: Turn and utterance of what was said later; None for nothing.
        until: The newest turn that was known when it was told.
    """

    turn: int
    ordinals: range
    later: tuple[int, int] | None
    until: int

    @property
    def name(self) -> str:
        """How a client names the line."""
        first, last = self.ordinals[0], self.ordinals[-1]
        span = f"{first}-{last}" if last > first else f"{first}"
        later = f">{self.later[0]}.{self.later[1]}" if self.later else ""
        return f"said {self.turn}.{span}{later}@{self.until}"

    @classmethod
    def from_name(cls, name: str) -> Quote | None:
        """Return the quote of a name; None if it names none."""
        match = _QUOTE.fullmatch(name)
        if match is None:
            return None
        first = int(match["first"])
        later = (int(match["later"]), int(match["at"])) if match["later"] else None
        last = int(match["last"] or first)
        return cls(
            int(match["turn"]), range(first, last + 1), later, int(match["until"])
        )


class NoteName(NamedTuple):
    """The source of a note in a block: an entity, an item of trusted state, a statement.

    Attributes:
        kind: Of the line.
        key: Names it within the kind.
        version: Differs with what it says.
    """

    kind: LineKind
    key: Hashable
    version: str

    @property
    def name(self) -> str:
        """How a client names the line."""
        return f"noted {self.kind} {self.key}@{self.version}"

    @classmethod
    def of(cls, line: IndexedLine) -> NoteName:
        """Return the name of a line."""
        said = f"{line.heading}\0{line.project}\0{line.text}".encode("utf-8", "replace")
        return cls(line.kind, line.key, blake2b(said, digest_size=4).hexdigest())

    @classmethod
    def from_name(cls, name: str) -> NoteName | None:
        """Return what a name stands for; None if it names no note."""
        match = _NOTE.fullmatch(name)
        if match is None:
            return None
        kind = LineKind(match["kind"])
        key: Hashable = match["key"]
        if kind is not LineKind.STATE:
            if not match["key"].isdecimal():
                return None
            key = int(match["key"])
        return cls(kind, key, match["version"])


def is_quote(name: str) -> bool:
    """Return whether a line of this name quotes or notes something."""
    return _QUOTE.fullmatch(name) is not None or _NOTE.fullmatch(name) is not None


def place_of(name: str) -> tuple[int, int]:
    """Return the turn and the utterance of a quote, by which quotes are ordered.

    Notes come first.
    """
    quote = Quote.from_name(name)
    return (quote.turn, quote.ordinals[0]) if quote else (0, 0)
