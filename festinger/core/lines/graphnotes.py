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
# Not strict: names may contain raw control characters.
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
        # In the notation of facts, which leaves nothing to guess.
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
        # `works_at` and `works-at` are read as the words "works at".
        words = " ".join(re.split(r"[\s_-]+", self.kind))
        parts = map(_quoted, (self.source, self.kind, self.target))
        return GraphNote(
            text=" ".join(parts),
            reading=f"{_as_name(self.source)} {words} {_as_name(self.target)}",
        )


GraphRecord = EntityRecord | ObservationRecord | RelationRecord


def read_note(text: str) -> GraphRecord | None:
    """Return the record that a note keeps; None if it keeps none."""
    # The text between the strings tells the three kinds apart.
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
            # A decoder, not a pattern: a name may contain escaped quotes.
            string, at = _DECODER.raw_decode(text, at)
        except ValueError:
            return ()
        parts.append(string)
        if at == len(text):
            return parts
        found = text.find('"', at)
        # It does not end with a string, so that it is somebody's ordinary sentence.
        if found < 0:
            return ()
        parts.append(text[at:found])
        at = found
    return ()


def _quoted(text: str) -> str:
    # Readable in any script; what people see in a listing is this text.
    return json.dumps(text, ensure_ascii=False)


def _sentence(name: str, content: str) -> str:
    """Return an observation as a sentence about its entity."""
    # "Alice works at Acme" needs no subject in front.
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
    # `Alice Smith` reads as a name; `billing service` is one only as a token.
    is_title = all(word[:1].isupper() for word in words)
    return " ".join(words) if is_title else "_".join(words)


def _as_token(name: str) -> str:
    return "_".join(name.split())
