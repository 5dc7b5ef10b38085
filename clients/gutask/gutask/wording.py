"""Wording of statements, names and texts of the server.

Whatever came from the server passes `clean` before it can reach a terminal.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Protocol

from gutask._api.edge_pb2 import Edge
from gutask._api.source_pb2 import Source
from gutask._api.triple_pb2 import Triple

# Controls become spaces; what is invisible or could reorder a line is dropped.
_BREAKING = frozenset({"Cc", "Zl", "Zp"})
_INVISIBLE = frozenset({"Cf", "Co", "Cs"})


class _Enum(Protocol):
    def Name(self, number: Any) -> str:
        """Return the name of an enum's value."""


def clean(text: str) -> str:
    """Makes one line of a text, without characters that steer a terminal."""
    kept = []
    for character in text:
        category = unicodedata.category(character)
        if category in _BREAKING:
            kept.append(" ")
        elif category not in _INVISIBLE:
            kept.append(character)
    return " ".join("".join(kept).split())


def clean_lines(text: str) -> str:
    """Cleans a text that may have several lines, and indents all but the first."""
    return "\n  ".join(filter(None, map(clean, text.splitlines())))


def placing(statement: Triple | Edge) -> str:
    """Words a statement: `gnommoweb [type] not repo`."""
    return f"{place(statement)} {parent(statement)}"


def place(statement: Triple | Edge) -> str:
    """Words where a statement places what: `gnommoweb [type]`."""
    return f"{clean(statement.concept)} [{clean(dimension(statement))}]"


def parent(statement: Triple | Edge) -> str:
    """Words in what a statement places it: `repo`, `not repo`."""
    return (
        f"not {clean(statement.parent)}"
        if _denies(statement)
        else clean(statement.parent)
    )


def relation(statement: Triple | Edge) -> str:
    """Words a statement about a concept that was named: `[type] isa repo`."""
    verb = "isa" if statement.is_isa else "ispart"
    denial = "not " if _denies(statement) else ""
    return f"[{clean(dimension(statement))}] {denial}{verb} {clean(statement.parent)}"


def dimension(statement: Triple | Edge) -> str:
    """Names the dimension, which a server may leave to the relation."""
    return statement.dimension or ("type" if statement.is_isa else "membership")


def source_name(source: Source) -> str:
    """Names the door through which a statement came: `gutask`, `inferred`, …"""
    return name_of(Source, source, prefix="SOURCE_")


def name_of(enum: _Enum, number: int, *, prefix: str) -> str:
    """Names an enum's value; newer servers may send numbers without a name here."""
    try:
        return enum.Name(number).removeprefix(prefix).lower()
    except ValueError:
        return f"unknown_{number}"


def triple_json(triple: Triple) -> dict[str, Any]:
    """Gives a statement as a JSON object."""
    return {
        "concept": triple.concept,
        "parent": triple.parent,
        "dimension": dimension(triple),
        "is_isa": triple.is_isa,
        "negated": triple.negated,
    }


def _denies(statement: Triple | Edge) -> bool:
    return isinstance(statement, Triple) and statement.negated
