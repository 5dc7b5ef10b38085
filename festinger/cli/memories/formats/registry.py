"""All formats that can be imported, and how a file's format is recognised."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from festinger.cli.memories.formats.records import PlacedRecord
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.errors import UnreadableFile
from festinger.services.language.evaluating import ChatMessage

SAMPLE_OBJECTS: Final = 20


class FileSample(NamedTuple):
    """The beginning of a file.

    Attributes:
        path: The file or folder.
        objects: Its first JSON objects; empty if it is no JSON.
        text: Its first characters; empty for a folder or an archive.
    """

    path: Path
    objects: Sequence[JsonObject]
    text: str


class FileFormat(NamedTuple):
    """A format.

    Attributes:
        help: What has this format.
        recognises: Returns whether a file begins like this.
        read: Yields the records of a file.
    """

    name: str
    help: str
    recognises: Callable[[FileSample], bool]
    read: Callable[[ImportSource], Iterator[PlacedRecord]]


_MALFORMED: Final = (TypeError, ValueError, LookupError, AttributeError, csv.Error)
"""What readers raise over JSON or tables whose values have other types than expected:
files come from other programs, and any part of them may have any form."""

NAMES: Final = (
    "festinger_lines",
    "mcp_memory",
    "chatgpt",
    "claude",
    "claude_code",
    "codex",
    "cursor",
    "open_webui",
    "librechat",
    "letta",
    "mem0",
    "graph",
    "chat",  # any list of messages: most of those above would pass for one
    "table",
    "rdf",
    "markdown",
)
"""Modules of the formats, the more particular ones first."""


def format_of(path: Path, name: str = "") -> FileFormat:
    """Return the format of a file, by its content.

    Args:
        name: Name of the format; empty to recognise it.

    Raises:
        UnreadableFile: It has none of the formats.
        OSError: The file cannot be read.
    """
    if name:
        return _format(name.replace("-", "_"))
    known = [_format(it) for it in NAMES]
    sample = sample_of(path)
    for each in known:
        if each.recognises(sample):
            return each
    names = ", ".join(it.name for it in known)
    raise UnreadableFile(
        f"{path}: its format is not recognised. If it is one of {names}, name it with "
        "--format"
    )


def _format(name: str) -> FileFormat:
    # Imported by its name: `rdf` or `markdown` cost nothing unless they are needed.
    found: FileFormat = import_module(f"{__package__}.{name}").FORMAT

    def recognises(sample: FileSample) -> bool:
        """Return whether the format fits; malformed input does not."""
        try:
            return found.recognises(sample)
        except _MALFORMED:
            return False

    def read(source: ImportSource) -> Iterator[PlacedRecord]:
        """Yield the records; malformed input raises an error with its place."""
        # Of the last record, since the error's own place is not known.
        place = "the start"
        try:
            for record in found.read(source):
                place = record.place
                yield record
        except _MALFORMED as error:
            raise source.unreadable(
                f"behind {place}", f"this is not the form of {found.name}: {error!r}"
            ) from None

    return found._replace(recognises=recognises, read=read)


def messages_of(path: Path) -> Iterator[ChatMessage]:
    """Yield the messages of a file with conversations, whatever its format.

    Raises:
        UnreadableFile: It has none of the formats, or is no conversation.
        OSError: The file cannot be read.
    """
    found = False
    for _, record in format_of(path).read(ImportSource(path)):
        # Statements and notes are of no conversation.
        if isinstance(record, ChatMessage):
            found = True
            yield record
    if not found:
        raise UnreadableFile(f"{path}: there is no conversation in it")


def sample_of(path: Path) -> FileSample:
    """Return the beginning of a file.

    Raises:
        UnreadableFile: It is empty, or begins like JSON but is none.
        OSError: The file cannot be read.
    """
    if path.is_dir():
        return FileSample(path, (), "")
    text = ImportSource(path).start()
    # The bytes of an archive say nothing of its files.
    if path.suffix.lower() != ".zip":
        if not text.strip():
            raise UnreadableFile(f"{path} is empty")
        if text.lstrip()[:1] not in ("{", "["):
            return FileSample(path, (), text)
    found: list[JsonObject] = []
    try:
        found += (it for _, it in islice(ImportSource(path).objects(), SAMPLE_OBJECTS))
    except UnreadableFile:
        # The place is named again when it is read, after what stands before it.
        if not found:
            raise
    return FileSample(path, found, text)
