"""Records with the data that pages show: contradictions, duplicates and edits."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.console.context import RequestContext
from festinger.console.enum_names import record_kind
from festinger.console.errors import PageRefused
from festinger.core.memories.types import MemoryKind
from festinger.core.review.records import TYPES

# Spaces are pieces as well, so that both texts can be put together again.
_PIECE: Final = re.compile(r"\s+|\w+|[^\w\s]")


class DiffPart(NamedTuple):
    """Part of a difference.

    Attributes:
        kind: `same` (in both texts), `gone` (in the old one) or `new` (in the new one).
    """

    kind: str
    text: str


def changes(old: str, new: str) -> Iterator[DiffPart]:
    """Yield the parts of both texts: unchanged, removed and added ones."""
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    # By default difflib ignores what is frequent in long texts: spaces and commas.
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for how, i, j, k, m in matcher.get_opcodes():
        if how == "equal":
            yield DiffPart("same", "".join(before[i:j]))
            continue
        if j > i:
            yield DiffPart("gone", "".join(before[i:j]))
        if m > k:
            yield DiffPart("new", "".join(after[k:m]))


AGAINST_MAX: Final = 5
"""The maximum number of contradicted records that are shown."""

FILLED: Final = (
    "content", "type", "fact", "supersedes", "reasoning", "incoming_dimension",
    "existing_dimension",
)  # fmt: skip
"""Form fields that are kept when an action is refused."""
UNFILLED: Final = dict.fromkeys(FILLED, "")


@dataclass(frozen=True, slots=True)
class RecordCard:
    """MemoryRecord with the data that a page shows.

    Attributes:
        place: The source: a document and its headings, or a session.
        types: The types that an edit may choose.
        against: The records that it contradicts.
        pieces: The differences to the original text; empty if it was not edited.
        error: Why a decision was refused; empty if none was.
        said: The form fields of the refused decision.
    """

    record: MemoryRecord
    place: str
    types: Sequence[str]
    against: Sequence[MemoryRecord]
    pieces: Sequence[DiffPart]
    error: str = ""
    said: Mapping[str, str] = field(default_factory=lambda: UNFILLED)


async def card_of(
    context: RequestContext, record: MemoryRecord, **more: Any
) -> RecordCard:
    """Return the card of a record. Raises `PageRefused`."""
    # Each of them is a call, so they run at once.
    numbers = record.contradicts[:AGAINST_MAX]
    place, against = await asyncio.gather(
        _place(context, record),
        asyncio.gather(*(record_of(context, number) for number in numbers)),
    )
    original = record.original_content
    edited = bool(original) and original != record.content
    return RecordCard(
        record,
        place,
        types_of(MemoryKind(record_kind(record.kind))),
        # A contradicted record may be deleted since.
        [other for other in against if other is not None],
        list(changes(original, record.content)) if edited else [],
        **more,
    )


def types_of(kind: MemoryKind) -> list[str]:
    """Return the names of the types that records of a kind may have."""
    return [str(each) for each in TYPES[kind]]


async def _place(context: RequestContext, record: MemoryRecord) -> str:
    """Return the source of a record, with its headings if they are known."""
    place: str = record.origin.place
    if not record.origin.chunk_id:  # a conversation has no headings
        return place
    request = pb.GetRecordRequest(record_id=record.id)
    try:
        chain = (await context.ask(request)).chain
    except PageRefused:
        return place  # it was deleted meanwhile: the next request will fail
    return next((step.name for step in chain if step.kind == "chunk"), place)


async def record_of(context: RequestContext, number: int) -> MemoryRecord | None:
    """Return a record, or None if there is none."""
    try:
        request = pb.GetRecordRequest(record_id=number)
        record: MemoryRecord = (await context.ask(request)).record
    except PageRefused as refusal:
        if refusal.status == 404:
            return None
        raise
    return record
