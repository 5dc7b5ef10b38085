"""A graph of entities, relations and observations, as notes of the memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

from mcp.server.mcpserver.exceptions import ToolError

from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.core.lines.graphnotes import (
    COLLECTION,
    EntityRecord,
    GraphRecord,
    ObservationRecord,
    RelationRecord,
    read_note,
)
from festinger.mcp.memory import McpCaller, MemoryCalls, Place

PAGE_SIZE: Final = 500
NOTES_MAX: Final = 1000
"""Maximum number of notes, and of names, in a call to the memory server."""
BYTES_MAX: Final = 2 * 2**20
"""Maximum size of the notes of such a call, unless there is only one."""

ENTITY_MEMBERS: Final = ("name", "entityType", "observations")

JsonObject = dict[str, Any]


@dataclass(slots=True)
class KnowledgeGraph:
    """The graph at one moment, with the names of the lines that keep it.

    Attributes:
        entities: The lines of each entity by its name, in the order of their creation.
        kinds: The type of each entity.
        observations: The observations of each entity with their lines.
        relations: The lines of each relation.
    """

    entities: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    observations: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    relations: dict[RelationRecord, list[str]] = field(default_factory=dict)

    def add(self, record: GraphRecord | None, line: str) -> None:
        """Add a record that a line keeps; what has no entity is left out."""
        # A line may be no note (None), or an observation whose entity is gone.
        match record:
            case EntityRecord(name, kind):
                # Of two that were created at the same time, the first counts.
                self.entities.setdefault(name, []).append(line)
                self.kinds.setdefault(name, kind)
                self.observations.setdefault(name, [])
            case ObservationRecord(name, content) if name in self.observations:
                self.observations[name].append((content, line))
            # Relations need no entities, as in the reference server.
            case RelationRecord():
                self.relations.setdefault(record, []).append(line)

    def shown(self, names: Collection[str] | None = None) -> JsonObject:
        """Return the graph in the form of the tools; None shows the whole graph."""
        # Of named entities also relations that only begin or end at one.
        return {
            "entities": [
                self._entity(name)
                for name in self.entities
                if names is None or name in names
            ],
            "relations": [
                _shown(it)
                for it in self.relations
                if names is None or it.source in names or it.target in names
            ],
        }

    def matching(self, query: str) -> set[str]:
        """Return the entities with a text in their name, type or observations."""
        wanted = query.lower()  # as the reference server compares
        return {
            name
            for name, kind in self.kinds.items()
            if any(
                wanted in it.lower()
                for it in (name, kind, *(text for text, _ in self.observations[name]))
            )
        }

    def _entity(self, name: str) -> JsonObject:
        return {
            "name": name,
            "entityType": self.kinds[name],
            "observations": [text for text, _ in self.observations[name]],
        }


class GraphStore:
    """Reads and changes the graph of a caller's project.

    Args:
        collection: Session of the notes.
    """

    def __init__(self, memory: MemoryCalls, collection: str = COLLECTION) -> None:
        self._memory = memory
        self._collection = collection
        # A lock goes with the last change that waits for it or holds it.
        self._locks: WeakValueDictionary[Place, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def changing(self, caller: McpCaller) -> AsyncIterator[KnowledgeGraph]:
        """Provide the graph while nobody else of this process changes it."""
        # Two calls that create the same entity at once would both find it missing.
        lock = self._locks.setdefault(caller.place, asyncio.Lock())
        async with lock:
            yield await self.read(caller)

    async def require_reader(self, caller: McpCaller) -> None:
        """Require that a caller may read the graph. Raises `MemoryRefusal`."""
        # The smallest call is judged like all others.
        await self._memory.call(self._listing(caller, 1), caller)

    async def read(self, caller: McpCaller) -> KnowledgeGraph:
        """Return the graph. Raises `MemoryRefusal`."""
        request = self._listing(caller, PAGE_SIZE)
        kept: dict[str, str] = {}
        async for page in self._memory.pages(request, caller):
            # A line that was added meanwhile pushes others to the next page, and these are
            # listed twice: by name they count once.
            kept |= {
                it.name: it.quote
                for it in page.lines
                # Without a project the search finds those of all projects.
                if caller.project or not it.project
            }
        graph = KnowledgeGraph()
        # Lines are listed newest first; entities stand before their observations.
        for name, text in reversed(kept.items()):
            graph.add(read_note(text), name)
        return graph

    async def keep(
        self, records: Iterable[GraphRecord], caller: McpCaller
    ) -> Sequence[Outcome]:
        """Keep records; return the outcomes of their facts. Raises `MemoryRefusal`."""
        # Notes come back as they were given; their readings pass the gate like all else.
        outcomes: list[Outcome] = []
        made = (record.note for record in records)
        for notes in _parts(
            lines.Note(text=it.text, reading=it.reading) for it in made
        ):
            request = lines.KeepNotesRequest(
                notes=notes, session=self._collection, project=caller.project
            )
            answer = await self._memory.call(request, caller)
            outcomes += answer.outcomes
        return outcomes

    async def forget(self, names: Sequence[str], caller: McpCaller) -> None:
        """Forget records by the names of their lines. Raises `MemoryRefusal`."""
        for at in range(0, len(names), NOTES_MAX):
            request = lines.ForgetLinesRequest(names=names[at : at + NOTES_MAX])
            await self._memory.call(request, caller)

    def _listing(self, caller: McpCaller, page_size: int) -> lines.SearchLinesRequest:
        return lines.SearchLinesRequest(
            kind=lines.MemoryLine.KIND_UTTERANCE,
            session=self._collection,
            project=caller.project,
            page_size=page_size,
        )


async def create_entities(
    store: GraphStore, caller: McpCaller, entities: Sequence[JsonObject]
) -> tuple[list[JsonObject], Sequence[Outcome]]:
    """Create the entities whose names are new, and return them."""
    async with store.changing(caller) as graph:
        new: dict[str, JsonObject] = {}
        for entity in entities:
            # Of two with one name in a call the first counts.
            if (name := entity["name"]) not in graph.entities:
                new.setdefault(name, {key: entity[key] for key in ENTITY_MEMBERS})
        records: list[GraphRecord] = [
            record for name, entity in new.items() for record in _records(name, entity)
        ]
        return list(new.values()), await store.keep(records, caller)


async def create_relations(
    store: GraphStore, caller: McpCaller, relations: Sequence[JsonObject]
) -> tuple[list[JsonObject], Sequence[Outcome]]:
    """Create the relations that are new, and return them."""
    async with store.changing(caller) as graph:
        given = dict.fromkeys(map(_relation, relations))
        new = [it for it in given if it not in graph.relations]
        return list(map(_shown, new)), await store.keep(new, caller)


async def add_observations(
    store: GraphStore, caller: McpCaller, observations: Sequence[JsonObject]
) -> tuple[list[JsonObject], Sequence[Outcome]]:
    """Add the observations that are new, and return them. Raises `ToolError`."""
    async with store.changing(caller) as graph:
        results: list[JsonObject] = []
        records: list[GraphRecord] = []
        # Everything is looked at before anything is kept: a call adds all or nothing.
        known = {
            name: {text for text, _ in held}
            for name, held in graph.observations.items()
        }
        for each in observations:
            name = each["entityName"]
            if name not in known:
                raise ToolError(f"Entity with name {name} not found")
            added = [it for it in each["contents"] if it not in known[name]]
            # The same observation may stand twice in one call.
            known[name].update(added)
            records += [ObservationRecord(name, it) for it in added]
            results.append({"entityName": name, "addedObservations": added})
        return results, await store.keep(records, caller)


async def delete_entities(
    store: GraphStore, caller: McpCaller, names: Sequence[str]
) -> None:
    """Delete entities with their observations, and the relations of these names."""
    # Relations of a name go also where no entity is called so.
    async with store.changing(caller) as graph:
        gone = [
            line
            for record, kept in graph.relations.items()
            if record.source in names or record.target in names
            for line in kept
        ]
        for name in dict.fromkeys(names):  # a name may be given twice
            gone += graph.entities.get(name, ())
            gone += (line for _, line in graph.observations.get(name, ()))
        await store.forget(gone, caller)


async def delete_observations(
    store: GraphStore, caller: McpCaller, deletions: Sequence[JsonObject]
) -> None:
    """Delete observations of entities; what is not there is left out."""
    async with store.changing(caller) as graph:
        gone = {
            line
            for each in deletions
            for text, line in graph.observations.get(each["entityName"], ())
            if text in each["observations"]
        }
        await store.forget(sorted(gone), caller)


async def delete_relations(
    store: GraphStore, caller: McpCaller, relations: Sequence[JsonObject]
) -> None:
    """Delete relations; what is not there is left out."""
    async with store.changing(caller) as graph:
        wanted = {_relation(it) for it in relations}
        gone = [line for it in wanted for line in graph.relations.get(it, ())]
        await store.forget(gone, caller)


def _parts(notes: Iterable[lines.Note]) -> Iterator[list[lines.Note]]:
    """Split notes into as many as a call may have, by number and by size."""
    part: list[lines.Note] = []
    size = 0
    for note in notes:
        # A single note may be larger: the memory server refuses it with a sentence.
        if part and (len(part) == NOTES_MAX or size + note.ByteSize() > BYTES_MAX):
            yield part
            part, size = [], 0
        part.append(note)
        size += note.ByteSize()
    if part:
        yield part


def _records(name: str, entity: JsonObject) -> Iterator[GraphRecord]:
    yield EntityRecord(name, entity["entityType"])
    for content in entity["observations"]:
        yield ObservationRecord(name, content)


def _shown(relation: RelationRecord) -> JsonObject:
    return {
        "from": relation.source,
        "to": relation.target,
        "relationType": relation.kind,
    }


def _relation(relation: JsonObject) -> RelationRecord:
    return RelationRecord(relation["from"], relation["relationType"], relation["to"])
