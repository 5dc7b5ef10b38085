"""Insertion of a session's earlier blocks at their positions, and of a new one (D5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.system.excerpt import CLOSING, OPENING
from festinger.shim.recollection import budget, inject
from festinger.shim.recollection.flattened import SYSTEM_HEADING, is_flattened
from festinger.shim.recollection.jsontext import Body, TextEdit
from festinger.shim.recollection.ledger import (
    Ledger,
    Position,
    RequestLayout,
    ToldBlock,
    ToldLine,
    render,
)
from festinger.shim.recollection.segments import (
    BlockPosition,
    BodyPlace,
    Segment,
    SegmentRole,
    SystemPlace,
    SystemTextCreation,
    without_leading_block,
)

_GAP = "\n\n"
_BLOCK_FOLLOWS = re.compile(rf"\s*{re.escape(OPENING)}")


@dataclass(frozen=True, slots=True)
class StickyUpdate:
    """Result of updating the ledger for a request.

    Attributes:
        result: `full` if lines were added or corrected, `replay` if there are only
            earlier blocks, `none`, or `skipped:budget`.
        short: True if there was no room for all lines.
        place: Position of the new lines; None if there is no place for any.
    """

    result: str
    blocks: Mapping[Position, ToldBlock]
    told: Sequence[ToldLine] = ()
    short: bool = False
    place: Position | None = None


def standing_lines(
    ledger: Ledger, layout: RequestLayout
) -> list[pb.RecollectRequest.Told]:
    """Return the lines in a request's blocks, for the memory to check."""
    told = []
    for block in ledger.standing(layout).values():
        # Lines that answered this same message may be sent for it again, in the same
        # block.
        kept = block.asked != layout.asking
        told += [
            pb.RecollectRequest.Told(
                concept=line.concept,
                digest=line.digest,
                text=line.text,
                hint=line.hint and kept,
                kept=kept,
            )
            for line in block.lines
        ]
    return told


def stick(
    ledger: Ledger,
    layout: RequestLayout,
    request: pb.RecollectRequest,
    response: pb.RecollectResponse,
    *,
    at_head: bool,
    room: float = inf,
) -> StickyUpdate:
    """Apply the memory's answer to the ledger.

    Args:
        at_head: Whether a block may be put at the system text, if this is the first
            request.
        room: Number of bytes that all blocks may take.
    """
    # Nothing below awaits: concurrent requests of a session find its ledger consistent.
    # Corrections come first, so that a corrected line is not told again as a new one.
    corrected = ledger.correct(layout, _changes(request, response))
    is_first = ledger.open(layout)
    newest = None if layout.newest is None else layout.ends[layout.newest]
    # The head is cached with the system text, so only the first request may use it.
    place = layout.head if is_first and at_head else newest
    # The block at `place` is replaced, so its bytes are free.
    others = [it for at, it in ledger.standing(layout).items() if at != place]
    room -= budget.blocks_bytes(others)
    # Not even the old blocks fit: a part of them would miss the cache as well.
    if room < 0:
        return StickyUpdate("skipped:budget", {}, short=True)
    # A tool's result at the end: blocks are only replayed and corrected.
    if place is None:
        return _sticking(ledger, layout, new=corrected)
    news = ledger.news(layout, map(line_of, response.lines))
    told = budget.fitting(news, room)
    changed = ledger.tell(layout, place, told)
    short = len(told) < len(news)
    # Lines that did not fit are asked for again with the next request.
    if not short:
        ledger.answered(layout)
    new = corrected or (changed and bool(told))
    return _sticking(ledger, layout, new=new, told=told, short=short, place=place)


def line_of(line: pb.RecollectResponse.Line) -> ToldLine:
    """Return a line of the memory's answer as a line of the ledger."""
    kinds = pb.RecollectResponse.Line
    return ToldLine(
        line.concept,
        line.text,
        line.digest,
        hint=line.kind == kinds.KIND_HINT,
        memory=line.kind == kinds.KIND_MEMORY,
        quote=line.kind == kinds.KIND_QUOTE,
    )


def replay(ledger: Ledger, layout: RequestLayout, *, room: float = inf) -> StickyUpdate:
    """Return the earlier blocks of a request without an answer of the memory.

    Args:
        room: Number of bytes that all blocks may take.
    """
    if budget.blocks_bytes(ledger.standing(layout).values()) > room:
        return StickyUpdate("skipped:budget", {}, short=True)
    return _sticking(ledger, layout, new=False)


def shortened(response: pb.RecollectResponse, room: float) -> pb.RecollectResponse:
    """Return an answer with as many lines as fit, given the room in bytes."""
    if len(response.block.encode()) <= room:
        return response
    fitting = {
        line[:2] for line in budget.fitting([*map(line_of, response.lines)], room)
    }
    lines = [line for line in response.lines if (line.concept, line.text) in fitting]
    return pb.RecollectResponse(lines=lines, block=render(map(line_of, lines)))


def put_back(
    body: Body,
    segments: Sequence[Segment],
    layout: RequestLayout,
    system: SystemPlace,
    blocks: Mapping[Position, ToldBlock],
    modelfile: str = "",
) -> bytes | None:
    """Return the body with these blocks, and no others of the shim's.

    Args:
        modelfile: The model's own SYSTEM; see `inject.into_system`.

    Returns:
        The changed body; None if no change is needed.
    """
    edits = list(_behind(body, segments, layout, blocks))
    head = blocks[layout.head].text if layout.head in blocks else ""
    if isinstance(system, BodyPlace):
        edits += _before(body, system, head)
    changed = body.with_edits(edits) if edits else body
    # Edits first: they keep the paths, an inserted element would shift them.
    if isinstance(system, BlockPosition) and (
        new := inject.into_list(changed, system, head)
    ):
        return new
    if head and isinstance(system, SystemTextCreation):
        return inject.create(changed, system, head, modelfile)
    return changed.text.encode() if edits else None


def _behind(
    body: Body,
    segments: Sequence[Segment],
    layout: RequestLayout,
    blocks: Mapping[Position, ToldBlock],
) -> Iterator[TextEdit]:
    """Yield the edits for blocks after messages."""
    for segment, position in zip(segments, layout.ends, strict=True):
        block = blocks.get(position)
        # Also without a block: one that the client sends back is removed.
        if segment.end is None or not (block or segment.role is SegmentRole.USER):
            continue
        path, text = segment.end.path, body.at(segment.end.path)
        start, end = _span(text, segment.end.offset)
        new = _GAP + block.text if block else ""
        if text[start:end] != new:
            yield TextEdit(path, start, end, new)


def _span(text: str, position: int) -> tuple[int, int]:
    """Return start and end of the shim's earlier blocks around an offset."""
    start = end = position
    # A client that stores what was sent returns our blocks, one or several in a row.
    while text.endswith(CLOSING, 0, start):
        opening = text.rfind(OPENING, 0, start)
        if opening < 0:
            break
        start = opening
        while start and text[start - 1].isspace():
            start -= 1
    while follows := _BLOCK_FOLLOWS.match(text, end):
        closing = text.find(CLOSING, follows.end())
        if closing < 0:
            break
        end = closing + len(CLOSING)
    return start, end


def _before(body: Body, place: BodyPlace, block: str) -> Iterator[TextEdit]:
    """Yield the edit for the block at the head of the system text, if needed."""
    text: str = body.at(place.path)
    after = text[place.offset :]
    rest = without_leading_block(after)
    start, end = place.offset, len(text) - len(rest)
    new = f"{place.heading}{block}{_GAP if rest else ''}" if block else ""
    alone = is_flattened(rest) and text.endswith(SYSTEM_HEADING, 0, start)
    if end > start and alone and not new:
        start -= len(SYSTEM_HEADING)  # the section was created for the block
    if text[start:end] != new:
        yield TextEdit(place.path, start, end, new)


def _changes(
    request: pb.RecollectRequest, response: pb.RecollectResponse
) -> dict[tuple[str, str], ToldLine | None]:
    changes = {}
    for change in response.changes:
        told = request.told[change.told_index]
        new = line_of(change.line) if change.HasField("line") else None
        changes[told.concept, told.text] = new
    return changes


def _sticking(
    ledger: Ledger,
    layout: RequestLayout,
    *,
    new: bool,
    told: Sequence[ToldLine] = (),
    short: bool = False,
    place: Position | None = None,
) -> StickyUpdate:
    blocks = ledger.standing(layout)
    if blocks:
        result = "full" if new else "replay"
    else:
        result = "skipped:budget" if short else "none"
    return StickyUpdate(result, blocks, told, short, place)
