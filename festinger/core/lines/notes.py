"""Entities and trusted state of projects, as lines of the index."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from hashlib import blake2b

from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.sourcelines import SourceLines
from festinger.core.memories.types import (
    CONVERSATION_TYPES,
    MemoryKind,
    MemoryType,
    Status,
)
from festinger.core.review.records import MemoryRecord, RecordChanges
from festinger.core.review.state import StateItem

Source = tuple[LineKind, Hashable]
Notes = Mapping[Source, IndexedLine | None]
"""Lines of entities and items of state; None for those that are no longer valid."""

NOTE_KINDS = (LineKind.ENTITY, LineKind.STATE)
LABELS: Mapping[MemoryType, str] = {
    **{each: each.value.replace("_", " ") for each in MemoryType},
    # A line reads `decided (shop, 12 May): Typesense instead of Elasticsearch`.
    MemoryType.DECISION: "decided",
}
"""Labels before the text of an entity, by type."""
TRUSTED = "trusted"
"""Label before an item of trusted state."""


def is_noted(record: MemoryRecord) -> bool:
    """Return whether a record is a note, rather than a memory about a person (G5)."""
    return record.status is Status.ACTIVE and not (
        record.kind is MemoryKind.MEMORY
        and record.type in CONVERSATION_TYPES
        and bool(record.subject)
    )


def note_of_record(record: MemoryRecord) -> IndexedLine:
    """Return the line of an entity, or of a memory that is not about a person."""
    subject = record.subject
    return IndexedLine(
        number=0,
        kind=LineKind.ENTITY,
        key=record.id,
        text=record.content,
        heading=LABELS[record.type],
        project=record.project,
        said=record.confirmed_at,
        subject=subject,
        # A record about a person is told to that person's agents only (G5).
        audience=LineAudience(True, frozenset([subject.casefold()]))
        if subject
        else EVERYBODY,
    )


def note_of_item(item: StateItem) -> IndexedLine:
    """Return the line of an item of a project's trusted state."""
    return IndexedLine(
        number=0,
        kind=LineKind.STATE,
        key=item_key(item.project, item.key),
        text=f"{item.key}: {item.value}",
        heading=TRUSTED,
        project=item.project,
        said=item.updated_at,
    )


def item_key(project: str, key: str) -> str:
    """Return the key of an item of state in the index and in rendered lines."""
    # Hashed, as names of lines may only contain hexadecimal digits; NUL separates both.
    named = f"{project}\0{key}".encode("utf-8", "replace")
    return blake2b(named, digest_size=8).hexdigest()


def notes_in(records: RecordChanges, state: Iterable[StateItem]) -> Notes:
    """Return the changes of entities and trusted state in a batch."""
    # Most records are candidates before and after, which changes nothing.
    found: dict[Source, IndexedLine | None] = {
        (LineKind.ENTITY, edit.record_id): None
        for edit in records.edits
        if edit.before and is_noted(edit.before)
    }
    # Written records overwrite the removals above, which are of their old state.
    for number, record in records.written.items():
        if is_noted(record):
            found[LineKind.ENTITY, number] = note_of_record(record)
    for item in state:
        # An item is removed by an empty value.
        line = note_of_item(item) if item.value else None
        found[LineKind.STATE, item_key(item.project, item.key)] = line
    return found


def take_notes(sources: SourceLines, notes: Notes) -> None:
    """Apply changed entities and items of state to an index."""
    for (kind, key), line in notes.items():
        if line is None:
            sources.remove(kind, key)
        # Unchanged ones keep their entry, since a closed one would stay in the postings.
        elif not _is_there(sources, line):
            sources.put(kind, key, [line])


def replace_notes(sources: SourceLines, lines: Iterable[IndexedLine]) -> None:
    """Replace all entities and items of state of an index."""
    # All that exist are removed unless `lines` has them: a reload tells no differences.
    notes: dict[Source, IndexedLine | None] = {
        (kind, key): None for kind in NOTE_KINDS for key in sources.keys_of(kind)
    }
    notes.update(((line.kind, line.key), line) for line in lines)
    take_notes(sources, notes)


def _is_there(sources: SourceLines, line: IndexedLine) -> bool:
    there = sources.lines_of(line.kind, line.key)
    return len(there) == 1 and _said(there[0]) == _said(line)


def _said(line: IndexedLine) -> tuple[object, ...]:
    return line.text, line.heading, line.project, line.subject, line.said
