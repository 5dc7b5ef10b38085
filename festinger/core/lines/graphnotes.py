"""Entities, relations and observations as notes: their text, and what they state.

    "Alice" is a "person"
    "Alice": "works at Acme Corp"
    "Alice" "works_at" "Acme Corp"

Strings are JSON's, so that any text comes back exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

COLLECTION: Final = "mcp-graph"
"""Session of the notes of a graph."""
_DECODER: Final = json.JSONDecoder(strict=False)


class GraphNote(NamedTuple):
    """A note that keeps a record, and the sentence from which statements are read."""

    text: str
    reading: str


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """An entity. Example: Alice, a person."""

    name: str
    kind: str

    @property
    def note(self) -> GraphNote:
        """The note that keeps it."""
        reading = f"{_as_token(self.name)} -isa {_as_token(self.kind)}"
        return GraphNote(
            text=f"{_quoted(self.name)} is a {_quoted(self.kind)}", reading=reading
        )


@dataclass(frozen=True, slots=True)
class ObservationRecord:
    """Something that was observed of an entity."""

    name: str
    content: str

    @property
    def note(self) -> GraphNote:
        """The note that keeps it."""
        return GraphNote(
            text=f"{_quoted(self.name)}: {_quoted(self.content)}",
            reading=_sentence(self.name, self.content),
        )


@dataclass(frozen=True, slots=True)
class RelationRecord:
    """A relation of one entity to another."""

    source: str
    kind: str
    target: str

    @property
    def note(self) -> GraphNote:
        """The note that keeps it."""
        words = " ".join(re.split(r"[\s_-]+", self.kind))
        parts = map(_quoted, (self.source, self.kind, self.target))
        return GraphNote(
            text=" ".join(parts),
            reading=f"{_as_name(self.source)} {words} {_as_name(self.target)}",
        )


GraphRecord = EntityRecord | ObservationRecord | RelationRecord


def read_note(text: str) -> GraphRecord | None:
    """Return the record that a note keeps; None if it keeps none."""
    match _parts(text):
        case [name, " is a ", kind]:
            return EntityRecord(name, kind)
        case [name, ": ", content]:
            return ObservationRecord(name, content)
        case [source, " ", kind, " ", target]:
            return RelationRecord(source, kind, target)
        case _:
            return None


def _parts(text: str) -> Sequence[str]:
    """Split a note into its strings and what is between them."""
    parts: list[str] = []
    at = 0
    while text.startswith('"', at):
        try:
            string, at = _DECODER.raw_decode(text, at)
        except ValueError:
            return ()
        parts.append(string)
        if at == len(text):
            return parts
        found = text.find('"', at)
        if found < 0:
            return ()
        parts.append(text[at:found])
        at = found
    return ()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _sentence(name: str, content: str) -> str:
    """Return an observation as a sentence about its entity."""
    if name.casefold() in content.casefold():
        return content
    first, _, rest = content.partition(" ")
    # `Speaks Spanish` goes on behind the name; `OAuth is used` begins with one.
    if first.istitle():
        first = first.lower()
    return f"{_as_name(name)} {first} {rest}".strip()


def _as_name(name: str) -> str:
    """Return a name as one that a sentence can begin with."""
    words = name.split()
    is_title = all(word[:1].isupper() for word in words)
    return " ".join(words) if is_title else "_".join(words)


def _as_token(name: str) -> str:
    return "_".join(name.split())
