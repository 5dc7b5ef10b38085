"""The file of the reference memory server, for whom MEMORY_FILE_PATH names one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft7Validator
from mcp.server.mcpserver.exceptions import ToolError

from festinger.core.lines.graphnotes import COLLECTION
from festinger.mcp import graph
from festinger.mcp.graph import GraphStore, JsonObject
from festinger.mcp.memory import McpCaller, MemoryCalls
from festinger.mcp.reference_tools import ENTITY, RELATION
from festinger.private import replacing

FOLDER: Final = "graph-files"
"""Folder of the data directory with the digests of the files as they were written."""

BYTES_MAX: Final = 64 * 2**20
"""Maximum size of a file, which is read whole."""

# The schemas by which the tools' arguments are checked.
_FORMS: Final = {
    "entity": Draft7Validator(ENTITY),
    "relation": Draft7Validator(RELATION),
}


class GraphFile:
    """A file with a graph of its own.

    Args:
        path: The file, which need not exist.
        data_dir: Data directory, where the digest of the file is kept.
    """

    def __init__(self, path: Path, memory: MemoryCalls, data_dir: Path) -> None:
        self._path = path.resolve()  # a link stays one
        self._data_dir = data_dir
        # Each file has a graph of its own, by its path.
        self.store = GraphStore(memory, f"{COLLECTION}-{_digest(str(self._path))[:16]}")

    async def read_in(self, caller: McpCaller) -> None:
        """Add to the graph what others wrote into the file.

        Raises:
            ToolError: The file is broken, or the memory server refused it.
        """
        # The digest is written behind the file, so it is read before it: what is not known
        # was not ours.
        known = _text_of(self._mark(caller))
        text = _text_of(self._path)
        # Ours, and not changed since: what the memory has forgotten does not come back from it.
        if text is None or _digest(text) == known:
            return
        entities, relations = self._parsed(text)
        # Never written from here: the person may want it back.
        if known is None:
            self._keep_original(text)
        made, _ = await graph.create_entities(self.store, caller, entities)
        new = {it["name"] for it in made}
        more = []
        # Entities that are there get what the file has besides.
        for entity in entities:
            if (name := entity["name"]) in new:
                new.remove(name)  # a second one of this name only adds to it
            else:
                more.append({"entityName": name, "contents": entity["observations"]})
        await graph.add_observations(self.store, caller, more)
        await graph.create_relations(self.store, caller, relations)
        # What the graph has besides the file is then in both.
        await self.write(caller)

    async def write(self, caller: McpCaller) -> None:
        """Write the graph as it is now.

        Raises:
            ToolError: The file cannot be written, or the graph cannot be read.
        """
        # Under the lock: no change comes between reading the graph and writing it.
        async with self.store.changing(caller) as known:
            text = "\n".join(map(_line, _items(known.shown())))
            mark = self._mark(caller)
            # The digest comes last. If the process ends in between, the file counts as others'
            # and is read once more, which adds nothing.
            with self._written():
                _replace(self._path, text)
                mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                _replace(mark, _digest(text))

    def _parsed(self, text: str) -> tuple[list[JsonObject], list[JsonObject]]:
        """Return the entities and relations of a file; other records are left out.

        Raises:
            ToolError: A line is not of the reference server's form. The file stays.
        """
        found: dict[str, list[JsonObject]] = {kind: [] for kind in _FORMS}
        # Not `splitlines`, which also splits at U+2028, a character of texts.
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            item: Any = None
            # Half of a pair of surrogates is JSON, and no text: it cannot be encoded.
            with suppress(ValueError, RecursionError):
                _line(read := json.loads(line)).encode()
                item = read
            kind = item.get("type") if isinstance(item, dict) else None
            # Other types are ignored, as by the reference server.
            if isinstance(kind, str) and kind not in _FORMS:
                continue
            if not isinstance(kind, str) or not _FORMS[kind].is_valid(item):
                raise ToolError(
                    f"line {number} of {self._path} is neither an entity nor a relation; "
                    "mend or remove it. The file is left as it is"
                )
            found[kind].append(item)
        return found["entity"], found["relation"]

    def _keep_original(self, text: str) -> None:
        """Keep the file as it was before it is first written."""
        original = self._path.with_name(f"{self._path.name}.before-festinger")
        with self._written():
            if not original.exists():  # the first one is the original
                _replace(original, text)

    @contextmanager
    def _written(self) -> Iterator[None]:
        """Raise a ToolError for a file that cannot be written."""
        try:
            yield
        except OSError as error:
            raise ToolError(
                f"{error.filename} cannot be written: {error.strerror}. What was changed is "
                "in the memory"
            ) from None

    def _mark(self, caller: McpCaller) -> Path:
        """Return the file with the digest of what was last written for a caller."""
        # Tenants and projects have graphs of their own, which one file may be given in turn.
        place = "\n".join((*caller.place, str(self._path)))
        return self._data_dir / FOLDER / _digest(place)


def _items(shown: JsonObject) -> Iterator[JsonObject]:
    for entity in shown["entities"]:
        yield {"type": "entity", **entity}
    for relation in shown["relations"]:
        yield {"type": "relation", **relation}


def _line(item: JsonObject) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _replace(file: Path, text: str) -> None:
    with replacing(file) as out:  # others see the old or the new file, not half of one
        out.write(text)


def _text_of(file: Path) -> str | None:
    """Return what is in a file; None if there is none.

    Raises:
        ToolError: It cannot be read, or is too large.
    """
    try:
        with file.open("rb") as found:
            # One byte more than allowed tells whether there is more.
            if len(text := found.read(BYTES_MAX + 1)) > BYTES_MAX:
                raise ToolError(
                    f"{file} is larger than {BYTES_MAX // 2**20} MB. Bring it in with "
                    "`festinger memories import`, and leave MEMORY_FILE_PATH out"
                )
            return text.decode()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ToolError(f"{file} cannot be read: {error}") from None
