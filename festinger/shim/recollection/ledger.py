"""What a session was told, and where: so that it stands there in every request (D5).

A position is named by its segment and all that precede it. A conversation that branches
keeps the blocks of each branch; where a history was cut or edited, the positions after
the cut are unknown, and what was told there is told again when it matters.

Pure values: nothing here reads a clock or sends anything. To lose a ledger costs a miss
of the model's prefix cache, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from festinger.core.lines.quotes import NOTICE
from festinger.core.memories.lines import rank
from festinger.core.recollection.names import place_of
from festinger.core.system.tags import CLOSING, OPENING
from festinger.shim.recollection.segments import (
    BodyPlace,
    Creation,
    Segment,
    SegmentRole,
    Slot,
)

BYTES_MAX = 64 * 1024
"""What a session's blocks may weigh, which is more than most models could read."""

_HEAD = b"head"  # before the system text, where its end is behind it
_POSITION_BYTES = 100  # a digest and its place in a dictionary

Position = bytes
"""Names a place of a conversation, the same in every request that has it."""


class ToldLine(NamedTuple):
    """A line as it was told."""

    concept: str
    text: str
    digest: bytes
    hint: bool
    memory: bool = False
    quote: bool = False

    @property
    def order(self) -> tuple[int, int, int, str]:
        """Where it stands in a block: concepts, quotations, memories, then hints."""
        if self.quote:
            return 1, *place_of(self.concept), self.concept
        if self.memory:
            return 2, rank(self.text), 0, self.concept
        return 3 if self.hint else 0, 0, 0, self.concept


@dataclass(frozen=True, slots=True)
class ToldBlock:
    """What stands at a position.

    Attributes:
        asked: The position of the message that it answers.
    """

    lines: tuple[ToldLine, ...]
    asked: Position

    @property
    def text(self) -> str:
        """The block as it is sent; empty if it has no lines."""
        return render(self.lines)


def render(lines: Iterable[ToldLine]) -> str:
    """The block of some lines, in their order; empty if there are none."""
    ordered = sorted(lines, key=lambda line: line.order)
    if not ordered:
        return ""
    texts = [line.text for line in ordered]
    first = next((at for at, line in enumerate(ordered) if line.quote), None)
    if first is not None:
        texts[first] = f"{NOTICE} {texts[first]}"
    return "\n".join([OPENING, *texts, CLOSING])


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of a request.

    Attributes:
        head: Of the system text, or of where it would stand.
        ends: Behind each segment.
        newest: Which segment is the user's message that ends the request, so that
            something new can be told behind it; None if it ends otherwise, as with a
            tool's result.
    """

    head: Position
    ends: tuple[Position, ...]
    newest: int | None

    @classmethod
    def of(
        cls, segments: Sequence[Segment], system: BodyPlace | Slot | Creation
    ) -> Layout:
        """The positions of these segments.

        Args:
            system: Where the system text starts, or how it is made.
        """
        heads = (s.digest for s in segments if s.place and _starts(s.place, system))
        ends = []
        before = b""
        for segment in segments:
            before = _digest(before + segment.digest)
            ends.append(before)
        return cls(_digest(_HEAD + next(heads, b"")), tuple(ends), _newest(segments))

    @property
    def asking(self) -> Position:
        """The position of the message that an answer belongs to."""
        if self.newest is not None:
            return self.ends[self.newest]
        return self.ends[-1] if self.ends else self.head

    @property
    def all(self) -> tuple[Position, ...]:
        """Where blocks may stand, in the order of the prompt."""
        return (self.head, *self.ends)


class Ledger:
    """The blocks of a session.

    Args:
        bytes_max: If they weigh more, those of other branches are forgotten; if that
            is not enough, all.
    """

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._blocks: dict[Position, ToldBlock] = {}
        self._read: set[Position] = set()

    def make_room(self, layout: Layout) -> None:
        """Forgets what is too much, before a request is answered."""
        if self.weight <= self._bytes_max:
            return
        here = set(layout.all)
        self._blocks = {at: it for at, it in self._blocks.items() if at in here}
        self._read &= here
        if self.weight > self._bytes_max:
            self.clear()

    def is_new_to(self, layout: Layout) -> bool:
        """Whether this conversation was never sent on: its head is open."""
        return layout.head not in self._blocks

    def open(self, layout: Layout) -> bool:
        """Notes that a conversation is sent on, and says if it is for the first time."""
        if layout.head in self._blocks:
            return False
        self._blocks[layout.head] = ToldBlock((), layout.asking)
        return True

    def standing(self, layout: Layout) -> dict[Position, ToldBlock]:
        """The blocks that stand in a request, in the order of the prompt."""
        blocks = {at: self._blocks[at] for at in layout.all if at in self._blocks}
        return {at: block for at, block in blocks.items() if block.lines}

    def unread(self, layout: Layout) -> int:
        """The first segment that the newest message has to be answered for.

        What precedes it was answered at positions that are still there. The newest
        message itself is always asked about: a request may be repeated to hear more.
        """
        last = len(layout.ends) - 1 if layout.newest is None else layout.newest
        for index in range(last - 1, -1, -1):
            if layout.ends[index] in self._read:
                return index + 1
        return 0

    def correct(
        self, layout: Layout, changes: Mapping[tuple[str, str], ToldLine | None]
    ) -> bool:
        """Rewrites the lines of a request that no longer hold, and says if any did.

        Args:
            changes: What takes the place of a concept's line, by its text.
        """
        standing = self.standing(layout)
        lines = [line for block in standing.values() for line in block.lines]
        if not any(line[:2] in changes for line in lines):
            return False
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

    def news(self, layout: Layout, lines: Iterable[ToldLine]) -> list[ToldLine]:
        """The lines that say something else than was said last, before this message."""
        last: dict[str, bytes] = {}
        quoted: set[str] = set()
        for position, block in self.standing(layout).items():
            if layout.newest is None or position != layout.ends[layout.newest]:
                last.update((line.concept, line.digest) for line in block.lines)
                quoted.update(line.text for line in block.lines if line.quote)
        # A quotation's name tells what was known when it was told, which has grown.
        return [
            line
            for line in lines
            if last.get(line.concept) != line.digest and line.text not in quoted
        ]

    def tell(
        self, layout: Layout, position: Position, lines: Iterable[ToldLine]
    ) -> bool:
        """Has a block of these lines stand at a position; says if it is another one."""
        old = self._blocks.pop(position, None)
        block = ToldBlock(tuple(lines), layout.asking)
        if block.lines or position == layout.head:
            self._blocks[position] = block
        return block.lines != (old.lines if old else ())

    def answered(self, layout: Layout) -> None:
        """Notes that all there was to tell about a request has been told."""
        self._read.add(layout.asking)

    def clear(self) -> None:
        """Forgets everything."""
        self._blocks.clear()
        self._read.clear()

    @property
    def weight(self) -> int:
        """What the ledger takes, in bytes, roughly."""
        texts = sum(
            len(line.text) for block in self._blocks.values() for line in block.lines
        )
        return texts + _POSITION_BYTES * (len(self._blocks) + len(self._read))


def _newest(segments: Sequence[Segment]) -> int | None:
    for index in range(len(segments) - 1, -1, -1):
        segment = segments[index]
        if segment.role is not SegmentRole.SYSTEM:
            can_follow = segment.role is SegmentRole.USER and segment.end is not None
            return index if can_follow else None
    return None


def _starts(place: BodyPlace | Slot, system: BodyPlace | Slot | Creation) -> bool:
    """Whether the system text starts there, or at a block of ours before it."""
    if isinstance(place, Slot) and isinstance(system, Slot):
        return place.path == system.path
    return place == system


def _digest(data: bytes) -> Position:
    return blake2b(data, digest_size=16).digest()
