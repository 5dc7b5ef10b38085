"""The file of the reference MCP memory server: entities and relations, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from festinger.cli.memories.formats.records import (
    FileNote,
    FileRefusal,
    PlacedRecord,
    list_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.core.lines.graphnotes import (
    COLLECTION,
    EntityRecord,
    GraphRecord,
    ObservationRecord,
    RelationRecord,
)

_RELATION: Final = ("from", "relationType", "to")


def _recognises(sample: FileSample) -> bool:
    first = sample.objects[0] if sample.objects else {}
    # Its first line has one of the two.
    return "entityType" in first or first.keys() >= set(_RELATION)


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        records = list(_records(found))
        # The notes that `festinger mcp --reference` would write, so that it shows the same graph.
        for record in records:
            note = record.note
            yield PlacedRecord(
                place, FileNote(note.text, note.reading, collection=COLLECTION)
            )
        if not records:
            yield PlacedRecord(
                place, FileRefusal("it is neither an entity nor a relation")
            )


def _records(found: JsonObject) -> Iterator[GraphRecord]:
    parts = [found.get(key) for key in _RELATION]
    name, kind = found.get("name"), found.get("entityType")
    match parts:
        # Both is possible: a line that has all members is a relation and an entity.
        case [str(begin), str(relation), str(end)] if begin and relation and end:
            yield RelationRecord(begin, relation, end)
    if isinstance(name, str) and name and isinstance(kind, str):
        yield EntityRecord(name, kind)
        for each in list_of(found.get("observations")):
            if isinstance(each, str) and each.strip():
                yield ObservationRecord(name, each)


FORMAT: Final = FileFormat(
    "mcp-memory",
    "the file of the reference MCP memory server (JSONL)",
    _recognises,
    _read,
)
