"""Graphs as JSON: Neo4j's `apoc.export.json`, and edges of Graphiti and Zep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from festinger.cli.memories.formats.records import (
    FileRefusal,
    FileStatement,
    PlacedRecord,
    Record,
    list_of,
    object_of,
    time_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

_LISTS: Final = ("nodes", "rels", "relationships", "edges")
_NAMES: Final = ("name", "title", "label")
_UNTOLD: Final = ("Entity", "Node", "__Entity__")
"""Labels that say nothing."""
ENDED: Final = "it is not valid any more"
UNNAMED: Final = "a node has no name"


def _recognises(sample: FileSample) -> bool:
    return any(
        it.get("type") in ("node", "relationship")
        or "source_node_uuid" in it  # of Zep's edges alone, without their nodes
        # One element of each list is enough to tell a graph.
        or any(_is_graph(each) for key in _LISTS for each in list_of(it.get(key))[:1])
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    # By the ids of nodes so far: an edge that comes before its nodes finds no names.
    names: dict[str, str] = {}
    for place, found in source.objects():
        parts = [it for key in _LISTS for it in list_of(found.get(key))]
        for number, each in enumerate(parts, 1):
            if isinstance(each, dict):
                within = f"{place}, part {number}"
                yield from (PlacedRecord(within, it) for it in _records(each, names))
        if not parts:
            yield from (PlacedRecord(place, it) for it in _records(found, names))


def _records(found: JsonObject, names: dict[str, str]) -> Iterator[Record]:
    # Neo4j has properties apart, Graphiti beside the ids.
    properties = found | object_of(found.get("properties"))
    if _is_edge(found):
        yield _edge(found, properties, names)
        return
    name = _name(properties)
    for key in ("id", "uuid"):
        if identity := word_of(found.get(key) or properties.get(key)):
            names[identity] = name
    if not name:
        yield FileRefusal(UNNAMED)
        return
    said = time_of(properties.get("created_at"))
    for label in list_of(found.get("labels")):
        if isinstance(label, str) and label not in _UNTOLD:
            yield FileStatement(name, "is a", label, said=said)


def _edge(
    found: JsonObject, properties: JsonObject, names: Mapping[str, str]
) -> ChatMessage | FileStatement | FileRefusal:
    ends = [
        _end(found.get(key), names)
        or names.get(word_of(properties.get(f"{node}_uuid")), "")
        or word_of(properties.get(f"{node}_name"))
        # Neo4j's ends, or the ids or names of Graphiti's and Zep's.
        for key, node in (("start", "source_node"), ("end", "target_node"))
    ]
    relation = word_of(properties.get("name") or found.get("label"))
    # What ended is refused, so that it does not come back as if it held.
    if any(properties.get(key) for key in ("invalid_at", "expired_at")):
        return FileRefusal(ENDED)
    # When it began to hold, else when it was written.
    said = time_of(properties.get("valid_at")) or time_of(properties.get("created_at"))
    quote = word_of(properties.get("fact"))
    if not all((*ends, relation)):
        # Edges may come without their nodes; the sentence says it all the same.
        if quote:
            return ChatMessage(Role.USER, quote, session="graph", said=said)
        return FileRefusal(UNNAMED)
    words = relation.replace("_", " ").lower()  # `WORKS_AT` is "works at"
    return FileStatement(ends[0], words, ends[1], quote, said=said)


def _end(end: Any, names: Mapping[str, str]) -> str:
    """Return the name of an edge's end, which may have the node's properties."""
    if not isinstance(end, dict):
        return names.get(word_of(end), "")
    named = _name(object_of(end.get("properties")))
    return named or names.get(word_of(end.get("id")), "")


def _name(properties: Mapping[str, Any]) -> str:
    return next((it for key in _NAMES if (it := word_of(properties.get(key)))), "")


def _is_edge(found: JsonObject) -> bool:
    return found.get("type") == "relationship" or "source_node_uuid" in found


def _is_graph(found: Any) -> bool:
    return isinstance(found, dict) and (
        _is_edge(found) or "labels" in found or found.get("type") == "node"
    )


FORMAT: Final = FileFormat(
    "graph",
    "a graph of Neo4j (apoc.export.json), or nodes and edges of Graphiti or Zep (JSON)",
    _recognises,
    _read,
)
