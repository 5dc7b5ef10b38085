"""Names by which clients refer to the quotes and notes of a block."""

from __future__ import annotations

import re
from collections.abc import Hashable
from hashlib import blake2b
from typing import Final, NamedTuple

from festinger.core.lines.line import IndexedLine, LineKind

# `said 7.2-4>9.0@12`: turn 7, sentences 2 to 4, changed by 9.0, told when 12 was newest.
_QUOTE: Final = re.compile(
    r"said (?P<turn>\d+)\.(?P<first>\d+)(?:-(?P<last>\d+))?"
    r"(?:>(?P<later>\d+)\.(?P<at>\d+))?@(?P<until>\d+)"
)
# `noted entity 31@9f8a01c2`: key, and hash of the text that was told.
_NOTE: Final = re.compile(
    r"noted (?P<kind>entity|state|statement) (?P<key>[0-9a-f]+)@(?P<version>[0-9a-f]{8})"
)


class QuoteSource(NamedTuple):
    """Source of a quotation in a block: utterances of a turn, and a later one.

    Attributes:
        later: Turn and ordinal of a later utterance; None for none.
        until: Newest turn that was known when the quotation was told.
    """

    turn: int
    ordinals: range
    later: tuple[int, int] | None
    # Later turns are the only ones that can change a quotation that the prompt has.
    until: int

    @property
    def name(self) -> str:
        """The name that clients use for the line."""
        first, last = self.ordinals[0], self.ordinals[-1]
        span = f"{first}-{last}" if last > first else f"{first}"
        later = f">{self.later[0]}.{self.later[1]}" if self.later else ""
        return f"said {self.turn}.{span}{later}@{self.until}"

    @classmethod
    def from_name(cls, name: str) -> QuoteSource | None:
        """Return the quote with a name; None if it is not the name of a quote."""
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
    """Source of a note in a block: an entity, an item of trusted state, a statement.

    Attributes:
        key: Key within the kind.
        version: Hash of the line's text.
    """

    kind: LineKind
    key: Hashable
    version: str

    @property
    def name(self) -> str:
        """The name that clients use for the line."""
        return f"noted {self.kind} {self.key}@{self.version}"

    @classmethod
    def of(cls, line: IndexedLine) -> NoteName:
        """Return the name of a line."""
        said = f"{line.heading}\0{line.project}\0{line.text}".encode("utf-8", "replace")
        # Clients keep the name: it tells whether the text has changed since, without the text.
        return cls(line.kind, line.key, blake2b(said, digest_size=4).hexdigest())

    @classmethod
    def from_name(cls, name: str) -> NoteName | None:
        """Return the note with a name; None if it is not the name of a note."""
        match = _NOTE.fullmatch(name)
        if match is None:
            return None
        kind = LineKind(match["kind"])
        key: Hashable = match["key"]
        # State has hashes for keys, others have numbers.
        if kind is not LineKind.STATE:
            # The pattern admits hexadecimal digits, and names come from clients.
            if not match["key"].isdecimal():
                return None
            key = int(match["key"])
        return cls(kind, key, match["version"])


def is_quote(name: str) -> bool:
    """Return whether a line's name is that of a quote or a note."""
    return _QUOTE.fullmatch(name) is not None or _NOTE.fullmatch(name) is not None


def place_of(name: str) -> tuple[int, int]:
    """Return turn and ordinal of a quote's name, as a sort key."""
    quote = QuoteSource.from_name(name)
    # Notes come first: what holds now is read before what was said. Between them stands what
    # was said against notes (`against 7.12@…`, see `disputes`).
    if quote is None:
        return 0, int(name.startswith("against "))
    return quote.turn, quote.ordinals[0]
