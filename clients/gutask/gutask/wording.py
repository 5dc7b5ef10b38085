"""Wording of statements, names and texts of the server."""

from __future__ import annotations

import unicodedata
from typing import Any, Protocol

from gutask._api.edge_pb2 import Edge
from gutask._api.source_pb2 import Source
from gutask._api.triple_pb2 import Triple

# Whatever came from the server passes `clean` before it can reach a terminal. Controls
# become spaces; what is invisible or could reorder a line is dropped.
_BREAKING = frozenset({"Cc", "Zl", "Zp"})
_INVISIBLE = frozenset({"Cf", "Co", "Cs"})  # such as U+202E, which reverses a line


class _Enum(Protocol):
    def Name(self, number: Any) -> str:
        """Return the name of an enum's value."""


def clean(text: str) -> str:
    """Return a text in one line, without characters that steer a terminal."""
    kept = []
    for character in text:
        category = unicodedata.category(character)
        if category in _BREAKING:
            kept.append(" ")
        elif category not in _INVISIBLE:
            kept.append(character)
    return " ".join("".join(kept).split())


def clean_lines(text: str) -> str:
    """Clean a text that may have several lines, and indent all but the first."""
    # Messages have lines of their own: what was wrong, and what to do.
    return "\n  ".join(filter(None, map(clean, text.splitlines())))


def placing(statement: Triple | Edge) -> str:
    """Return the words for a statement: `gnommoweb [type] not repo`."""
    return f"{place(statement)} {parent(statement)}"


def place(statement: Triple | Edge) -> str:
    """Return the words for where a statement places what: `gnommoweb [type]`."""
    return f"{clean(statement.concept)} [{clean(dimension(statement))}]"


def parent(statement: Triple | Edge) -> str:
    """Return the words for what a statement places it in: `repo`, `not repo`."""
    return (
        f"not {clean(statement.parent)}"
        if _denies(statement)
        else clean(statement.parent)
    )


def relation(statement: Triple | Edge) -> str:
    """Return a statement about a concept that was named: `[type] isa repo`."""
    verb = "isa" if statement.is_isa else "ispart"
    denial = "not " if _denies(statement) else ""
    return f"[{clean(dimension(statement))}] {denial}{verb} {clean(statement.parent)}"


def dimension(statement: Triple | Edge) -> str:
    """Return the dimension, which a server may leave to the relation."""
    return statement.dimension or ("type" if statement.is_isa else "membership")


def source_name(source: Source) -> str:
    """Return the word for the source of a statement: `gutask`, `inferred`, …"""
    return name_of(Source, source, prefix="SOURCE_")


def name_of(enum: _Enum, number: int, *, prefix: str) -> str:
    """Return the word for an enum's value."""
    try:
        return enum.Name(number).removeprefix(prefix).lower()
    # A newer server may send numbers that have no name here.
    except ValueError:
        return f"unknown_{number}"


def triple_json(triple: Triple) -> dict[str, Any]:
    """Return a statement as a JSON object."""
    return {
        "concept": triple.concept,
        "parent": triple.parent,
        "dimension": dimension(triple),
        "is_isa": triple.is_isa,
        "negated": triple.negated,
    }


def _denies(statement: Triple | Edge) -> bool:
    return isinstance(statement, Triple) and statement.negated
