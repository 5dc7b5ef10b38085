"""What people decided is so, as lines of the index: entities, and projects' trusted state.

The few of them that there are have an object each, as sentences do.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from hashlib import blake2b

from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.lines.index import IndexedLine, LineIndex, LineKind
from festinger.core.memories.types import (
    CONVERSATION_TYPES,
    MemoryKind,
    MemoryType,
    Status,
)
from festinger.core.review.claims import Claim, ClaimChanges
from festinger.core.review.state import StateItem

Source = tuple[LineKind, Hashable]
Notes = Mapping[Source, IndexedLine | None]
"""Entities and items of state with their lines; None for those that hold no more."""

NOTE_KINDS = (LineKind.ENTITY, LineKind.STATE)
LABELS: Mapping[MemoryType, str] = {
    **{each: each.value.replace("_", " ") for each in MemoryType},
    MemoryType.DECISION: "decided",
}
"""What stands before an entity."""
TRUSTED = "trusted"
"""What stands before an item of state."""


def is_noted(claim: Claim) -> bool:
    """Return whether a claim is told, and not as a memory about a person (G5)."""
    return claim.status is Status.ACTIVE and not (
        claim.kind is MemoryKind.MEMORY
        and claim.type in CONVERSATION_TYPES
        and bool(claim.subject)
    )


def note_of_claim(claim: Claim) -> IndexedLine:
    """Return the line of an entity, or of a memory about no person."""
    subject = claim.subject
    return IndexedLine(
        number=0,
        kind=LineKind.ENTITY,
        key=claim.id,
        text=claim.content,
        heading=LABELS[claim.type],
        project=claim.project,
        said=claim.confirmed_at,
        subject=subject,
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
    """Return what names an item of state in the index and in told lines."""
    named = f"{project}\0{key}".encode("utf-8", "replace")
    return blake2b(named, digest_size=8).hexdigest()


def notes_in(claims: ClaimChanges, state: Iterable[StateItem]) -> Notes:
    """Return what a batch changes of entities and trusted state."""
    # Most claims are candidates, before and after: nothing changes.
    found: dict[Source, IndexedLine | None] = {
        (LineKind.ENTITY, edit.claim_id): None
        for edit in claims.edits
        if edit.before and is_noted(edit.before)
    }
    for number, claim in claims.written.items():
        if is_noted(claim):
            found[LineKind.ENTITY, number] = note_of_claim(claim)
    for item in state:
        line = note_of_item(item) if item.value else None
        found[LineKind.STATE, item_key(item.project, item.key)] = line
    return found


def take_notes(index: LineIndex, notes: Notes) -> None:
    """Put entities and items of state into an index, and take out what holds no more.

    What is as it was keeps its line.
    """
    for (kind, key), line in notes.items():
        if line is None:
            index.remove(kind, key)
        elif not _is_there(index, line):
            index.put(kind, key, [line])


def replace_notes(index: LineIndex, lines: Iterable[IndexedLine]) -> None:
    """Have an index hold these entities and items of state, and no others."""
    notes: dict[Source, IndexedLine | None] = {
        (kind, key): None for kind in NOTE_KINDS for key in index.keys_of(kind)
    }
    notes.update(((line.kind, line.key), line) for line in lines)
    take_notes(index, notes)


def _is_there(index: LineIndex, line: IndexedLine) -> bool:
    there = index.lines_of(line.kind, line.key)
    return len(there) == 1 and _said(there[0]) == _said(line)


def _said(line: IndexedLine) -> tuple[object, ...]:
    return line.text, line.heading, line.project, line.subject, line.said
