"""Conversion of records to items for the memory server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from festinger.api.v1 import line_service_pb2 as pb
from festinger.cli.memories.formats.records import (
    FileLine,
    FileNote,
    FileStatement,
    PlacedRecord,
)
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

NAME_CHARACTERS_MAX: Final = 128
TEXT_CHARACTERS_MAX: Final = 64_000
# The end of an answer is what a person replies to.
ANSWERED_CHARACTERS_MAX: Final = 2_000
SESSIONS_MAX: Final = 100
"""The maximum number of conversations whose last answer is held."""


def items_of(
    records: Iterator[PlacedRecord], path: Path, *, project: str = "", speaker: str = ""
) -> Iterator[tuple[str, pb.ImportItem]]:
    """Yield the items of records, each with its place.

    Args:
        records: The records of a file.
        path: The file, which its items name as their conversation if they have none.
        project: Project of all items; empty for that of each record.
        speaker: Speaker of items that have none.
    """
    # A person's "yes, do that" is read together with the answer before it.
    answered: OrderedDict[str, str] = OrderedDict()
    for place, record in records:
        item = pb.ImportItem(session=_name(path.name))
        said = 0.0
        match record:
            case ChatMessage(role, text, who, where, session, said):
                if role is Role.ASSISTANT:
                    answered[session] = text[-ANSWERED_CHARACTERS_MAX:]
                    # Exports with interleaved conversations must not fill the memory.
                    if len(answered) > SESSIONS_MAX:
                        answered.popitem(last=False)
                # Assistants' words are context only: they teach nothing of themselves (E1).
                if role is not Role.USER or not text.strip():
                    continue
                # Only the last characters of a long message are read of a prompt, too.
                item.typed = _text(text)
                # Once: only the next message replies to it.
                item.answers = _text(answered.pop(session, ""))
                item.session = _name(session) or item.session
                item.speaker, item.project = _name(who), _name(where)
            case FileNote(text, reading, instruction, collection, who, where, said):
                note = pb.Note(text=_text(text), reading=_text(reading))
                item.note.CopyFrom(note)
                item.instruction = instruction
                item.session = _name(collection) or item.session
                item.speaker, item.project = _name(who), _name(where)
            case FileStatement():
                said = record.said
                item.statement.CopyFrom(_worded(record))
                item.speaker, item.project = (
                    _name(record.speaker),
                    _name(record.project),
                )
            case FileLine(line):  # of an export of this program, with its own time
                item.line.CopyFrom(line)
            case _:
                continue
        _complete(item, project, speaker, said)
        yield place, item


def _complete(item: pb.ImportItem, project: str, speaker: str, said: float) -> None:
    """Set what the command line says, and the time."""
    # A line of an export keeps all that the command line does not say.
    if item.HasField("line"):
        item.line.project = project or item.line.project
        item.line.speaker = item.line.speaker or speaker
        return
    item.project = project or item.project
    item.speaker = item.speaker or speaker
    if said > 0:
        item.say_time.FromMicroseconds(round(said * 1e6))


def _worded(record: FileStatement) -> pb.WordedStatement:
    return pb.WordedStatement(
        subject=_text(record.subject),
        predicate=_text(record.predicate),
        value=_text(record.value),
        negated=record.negated,
        quote=_text(record.quote)[:400],  # as long as the server takes quotations
    )


def _name(text: str) -> str:
    """Return a text as a name: on one line, and not too long."""
    # A name with a line break would be refused.
    return " ".join(_text(text).split())[:NAME_CHARACTERS_MAX].strip()


def _text(text: str) -> str:
    """Return the end of a text as UTF-8 can encode it."""
    # JSON may hold half of a surrogate pair (`\ud83d`), which UTF-8 cannot encode.
    return text[-TEXT_CHARACTERS_MAX:].encode("utf-8", "replace").decode()
