"""Contents of another system's file, as records of a common type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from festinger.api.v1 import line_service_pb2 as pb
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT}
"""The roles of most programs; what tools and systems say is no word of the two."""
SECONDS_MAX = 253_402_300_799.0
"""The last second of the year 9999."""


class FileStatement(NamedTuple):
    """A statement in words.

    Attributes:
        subject: What it is about.
        predicate: Name of the relation.
        value: What is said of the subject.
        quote: Sentence that states it; empty for none.
        negated: Whether it is denied.
        speaker: Name of the person who stated it; empty if unknown.
        project: Project in which it was stated; empty for none.
        said: Seconds since the epoch; 0 if unknown.
    """

    subject: str
    predicate: str
    value: str
    quote: str = ""
    negated: bool = False
    speaker: str = ""
    project: str = ""
    said: float = 0.0


class FileNote(NamedTuple):
    """A record that is kept exactly.

    Attributes:
        text: The record.
        reading: Sentence from which its statements are read; empty for none.
        instruction: Whether it tells agents what to do.
        collection: Name of its collection; empty for the file's.
        speaker: Name of its author; empty if unknown.
        project: Project that it belongs to; empty for none.
        said: Seconds since the epoch; 0 if unknown.
    """

    text: str
    reading: str = ""
    instruction: bool = False
    collection: str = ""
    speaker: str = ""
    project: str = ""
    said: float = 0.0


class FileLine(NamedTuple):
    """A line of an export of this program."""

    line: pb.MemoryLine


class FileRefusal(NamedTuple):
    """Something that is not imported, with the reason."""

    reason: str


Record = ChatMessage | FileStatement | FileNote | FileLine | FileRefusal


class PlacedRecord(NamedTuple):
    """A record with its place in the file. Example of a place: `line 7`."""

    place: str
    record: Record


def list_of(value: Any) -> list[Any]:
    """Return a list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def objects_of(value: Any) -> list[dict[str, Any]]:
    """Return the JSON objects of a list."""
    return [it for it in list_of(value) if isinstance(it, dict)]


def object_of(value: Any) -> dict[str, Any]:
    """Return a JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def branch_of(nodes: Any, last: Any, before: str) -> list[dict[str, Any]]:
    """Return the branch of a conversation that was shown last, from its root.

    Args:
        nodes: Nodes by their ids; edits make branches.
        last: Id of the branch's last node.
        before: Name of the member with the id of the node before.
    """
    left, branch = dict(object_of(nodes)), []
    # A hostile file has circles: each node is left once.
    while isinstance(last, str) and isinstance(node := left.pop(last, None), dict):
        branch.append(node)
        last = node.get(before)
    return branch[::-1]


def spoken(
    place: str, role: Role | None, text: str, session: str, time: Any
) -> Iterator[PlacedRecord]:
    """Yield what a person or the model said; nothing without a role or a text."""
    if role and text.strip():
        said = time_of(time)
        yield PlacedRecord(place, ChatMessage(role, text, session=session, said=said))


def text_of(content: Any) -> str:
    """Return the text of a message's content; it may be a list of parts."""
    if isinstance(content, str):
        return content
    # Parts are texts, or objects with a text; pictures and calls of tools have none.
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        return ""
    parts = (
        it.get("text") if isinstance(it, Mapping) and "text" in it else it
        for it in content
    )
    return "\n".join(it for it in parts if isinstance(it, str))


def word_of(value: Any) -> str:
    """Return a text or a number as text; empty for anything else."""
    # `True` is an `int` in Python.
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def time_of(value: Any) -> float:
    """Return a time in seconds since the epoch; 0 if there is none.

    Args:
        value: ISO 8601, or seconds, milliseconds, or nanoseconds since the epoch.
    """
    if isinstance(value, bool):
        return 0.0
    if isinstance(value, int | float):
        seconds = float(value)
        for _ in range(3):
            # Beyond the year 2050 it is in a smaller unit: milli-, micro- or nanoseconds.
            if seconds > SECONDS_MAX / 100:
                seconds /= 1000.0
        return seconds if 0.0 < seconds < SECONDS_MAX else 0.0
    if not isinstance(value, str):
        return 0.0
    try:
        moment = datetime.fromisoformat(value.strip())
        # Without a zone a time is read as UTC, so that every machine reads the same.
        found = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, found.timestamp())  # before 1970 is unknown
    except (ValueError, OverflowError):
        return 0.0
