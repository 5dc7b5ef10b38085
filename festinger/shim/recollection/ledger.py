"""Blocks of a session by position, to repeat them in every request (D5).

Losing a ledger costs a miss of the model's prefix cache, and nothing else. This module
does not read a clock or do I/O.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from festinger.core.lines.quotes import NOTICE, is_rule
from festinger.core.memories.lines import rank
from festinger.core.recollection.names import place_of
from festinger.core.system.excerpt import CLOSING, OPENING
from festinger.shim.recollection.segments import (
    BlockPosition,
    BodyPlace,
    Segment,
    SegmentRole,
    SystemPlace,
)

BYTES_MAX = 64 * 1024
"""Maximum size of a session's blocks; more than most models' contexts hold."""

_HEAD = b"head"  # distinguishes the position before the system text from its end
_POSITION_BYTES = 100  # size of a digest and its entry in a dictionary

Position = bytes
"""Key of a position in a conversation, the same in every request that contains it."""


class ToldLine(NamedTuple):
    """A line of a block.

    Attributes:
        digest: The memory's digest of the line's content.
    """

    concept: str
    text: str
    digest: bytes
    hint: bool
    memory: bool = False
    quote: bool = False

    @property
    def order(self) -> tuple[int, int, int, str]:
        """Sort key in a block: concepts, rules, quotations, memories, then hints."""
        # The same order in every request: the block must have the same bytes (D5).
        if self.quote:
            turn, ordinal = place_of(self.concept)
            place = (-1, turn) if is_rule(self.text) else (turn, ordinal)
            return 1, *place, self.concept
        if self.memory:
            return 2, rank(self.text), 0, self.concept
        return 3 if self.hint else 0, 0, 0, self.concept

    @property
    def is_data(self) -> bool:
        """True for a quotation that is no rule of the asker's."""
        return self.quote and not is_rule(self.text)


@dataclass(frozen=True, slots=True)
class ToldBlock:
    """The block at a position.

    Attributes:
        asked: Position of the message that the block answers.
    """

    lines: tuple[ToldLine, ...]
    asked: Position

    @property
    def text(self) -> str:
        """Text of the block; empty if it has no lines."""
        return render(self.lines)


def render(lines: Iterable[ToldLine]) -> str:
    """Return the text of a block with these lines, sorted; empty without lines."""
    ordered = sorted(lines, key=lambda line: line.order)
    if not ordered:
        return ""
    texts = [line.text for line in ordered]
    quotes = (at for at, line in enumerate(ordered) if line.is_data)
    if (first := next(quotes, None)) is not None:
        # Quotations are data and no instructions; the notice before the first says so.
        texts[first] = f"{NOTICE} {texts[first]}"
    return "\n".join([OPENING, *texts, CLOSING])


@dataclass(frozen=True, slots=True)
class RequestLayout:
    """The positions of a request.

    Attributes:
        head: Position before the system text, or where one would be created.
        ends: Positions after each segment.
        newest: Index of the user's message that ends the request, after which a new
            block can be added; None if the request ends otherwise, for example with a
            tool's result.
    """

    head: Position
    ends: tuple[Position, ...]
    newest: int | None

    @classmethod
    def of(
        cls,
        segments: Sequence[Segment],
        system: SystemPlace,
    ) -> RequestLayout:
        """Return the positions of a request."""
        heads = (s.digest for s in segments if s.place and _starts(s.place, system))
        ends = []
        before = b""
        for segment in segments:
            # A digest of all segments so far: each branch of a conversation has positions of its
            # own, and those after an edit are new, so that their lines are sent again.
            before = _digest(before + segment.digest)
            ends.append(before)
        return cls(_digest(_HEAD + next(heads, b"")), tuple(ends), _newest(segments))

    @property
    def asking(self) -> Position:
        """Position of the message that the memory's answer belongs to."""
        if self.newest is not None:
            return self.ends[self.newest]
        # A tool's result asks nothing, but its request is answered too.
        return self.ends[-1] if self.ends else self.head

    @property
    def all(self) -> tuple[Position, ...]:
        """All positions for blocks, in the order of the prompt."""
        return (self.head, *self.ends)


class Ledger:
    """Store of the blocks of a session.

    Args:
        bytes_max: Maximum size. Beyond it the blocks of other branches are dropped, and
            if that is not enough, all blocks.
    """

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._blocks: dict[Position, ToldBlock] = {}
        self._read: set[Position] = set()

    def make_room(self, layout: RequestLayout) -> None:
        """Drop blocks beyond the size limit, before a request is answered."""
        if self.weight <= self._bytes_max:
            return
        # Other branches go first: this one keeps its bytes, and so the cached prefix.
        here = set(layout.all)
        self._blocks = {at: it for at, it in self._blocks.items() if at in here}
        self._read &= here
        if self.weight > self._bytes_max:
            self.clear()

    def is_new_to(self, layout: RequestLayout) -> bool:
        """Return whether the conversation is new, so that its head is undecided."""
        return layout.head not in self._blocks

    def open(self, layout: RequestLayout) -> bool:
        """Record that a conversation is forwarded, which settles its head.

        Returns:
            Whether it is forwarded for the first time.
        """
        if layout.head in self._blocks:
            return False
        # An empty block is the mark: a later block at the head would change every byte.
        self._blocks[layout.head] = ToldBlock((), layout.asking)
        return True

    def standing(self, layout: RequestLayout) -> dict[Position, ToldBlock]:
        """Return the blocks of a request by position, in the order of the prompt."""
        blocks = {at: self._blocks[at] for at in layout.all if at in self._blocks}
        return {at: block for at, block in blocks.items() if block.lines}

    def unread(self, layout: RequestLayout) -> int:
        """Return the index of the first segment that is not answered yet."""
        # The newest message itself never counts: its request may be repeated for more lines.
        last = len(layout.ends) - 1 if layout.newest is None else layout.newest
        for index in range(last - 1, -1, -1):
            if layout.ends[index] in self._read:
                return index + 1
        return 0

    def correct(
        self, layout: RequestLayout, changes: Mapping[tuple[str, str], ToldLine | None]
    ) -> bool:
        """Replace or remove lines of a request that no longer hold.

        Args:
            changes: The new line for each concept and text; None to remove it.

        Returns:
            Whether any line of the request was changed.
        """
        standing = self.standing(layout)
        lines = [line for block in standing.values() for line in block.lines]
        if not any(line[:2] in changes for line in lines):
            return False
        # What stays: a correction that says the same as another line is dropped.
        said = {line[:2] for line in lines if line[:2] not in changes}
        for position, block in standing.items():
            kept = []
            for line in block.lines:
                new = changes.get(line[:2], line)
                if new is line:
                    kept.append(line)
                elif new is not None and new[:2] not in said:
                    said.add(new[:2])
                    kept.append(new)
            self._blocks[position] = ToldBlock(tuple(kept), block.asked)
        return True

    def news(self, layout: RequestLayout, lines: Iterable[ToldLine]) -> list[ToldLine]:
        """Return the lines that differ from the concept's last one in the request."""
        last: dict[str, bytes] = {}
        quoted: set[str] = set()
        for position, block in self.standing(layout).items():
            # The block after the newest message is being rewritten, so it does not count.
            if layout.newest is None or position != layout.ends[layout.newest]:
                last.update((line.concept, line.digest) for line in block.lines)
                quoted.update(line.text for line in block.lines if line.quote)
        # A quotation's concept changes as the memory learns more, so its text is
        # compared.
        return [
            line
            for line in lines
            if last.get(line.concept) != line.digest and line.text not in quoted
        ]

    def tell(
        self, layout: RequestLayout, position: Position, lines: Iterable[ToldLine]
    ) -> bool:
        """Set the lines of the block at a position.

        Returns:
            Whether the lines changed.
        """
        old = self._blocks.pop(position, None)
        block = ToldBlock(tuple(lines), layout.asking)
        # The head's empty block stays as the mark that the conversation is known.
        if block.lines or position == layout.head:
            self._blocks[position] = block
        return block.lines != (old.lines if old else ())

    def answered(self, layout: RequestLayout) -> None:
        """Record that a request was answered with all lines that there were."""
        self._read.add(layout.asking)

    def clear(self) -> None:
        """Drop all blocks."""
        self._blocks.clear()
        self._read.clear()

    @property
    def weight(self) -> int:
        """Approximate size of the ledger in bytes."""
        texts = sum(
            len(line.text) for block in self._blocks.values() for line in block.lines
        )
        return texts + _POSITION_BYTES * (len(self._blocks) + len(self._read))


def _newest(segments: Sequence[Segment]) -> int | None:
    for index in range(len(segments) - 1, -1, -1):
        segment = segments[index]
        # Late system messages are moved to the front by most templates.
        if segment.role is not SegmentRole.SYSTEM:
            can_follow = segment.role is SegmentRole.USER and segment.end is not None
            return index if can_follow else None
    return None


def _starts(
    place: BodyPlace | BlockPosition,
    system: SystemPlace,
) -> bool:
    """Return whether a place is the start of the system text."""
    # In a list an earlier block of the shim's may stand before the text, at its index.
    if isinstance(place, BlockPosition) and isinstance(system, BlockPosition):
        return place.path == system.path
    return place == system


def _digest(data: bytes) -> Position:
    return blake2b(data, digest_size=16).digest()
