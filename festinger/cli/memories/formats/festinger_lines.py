"""The export of this program: `festinger export --format jsonl`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from google.protobuf.json_format import ParseDict, ParseError

from festinger.api.v1 import line_service_pb2 as pb
from festinger.cli.memories.formats.records import FileLine, PlacedRecord
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject

_NAMED: Final = {"by": "speaker", "since": "say_time"}
"""Members that are called otherwise in the message."""


def line_of(found: JsonObject) -> pb.MemoryLine:
    """Return the line of an export's object; raise `ValueError` over another type."""
    members = {
        _NAMED.get(key, key): value
        for key, value in found.items()
        if key not in ("kind", "form", "status") and value is not None
    }
    # An unknown form or status is refused by the parser.
    members["kind"] = f"KIND_{found.get('form', '')}".upper()
    members["status"] = f"STATUS_{found.get('status', '')}".upper()
    try:
        # A later version may export more than this one knows.
        return ParseDict(members, pb.MemoryLine(), ignore_unknown_fields=True)
    except ParseError as error:
        raise ValueError(str(error)) from None


def _recognises(sample: FileSample) -> bool:
    # The first object only: an export is of this form from the start.
    return any({"form", "name", "text", "by"} <= it.keys() for it in sample.objects[:1])


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        try:
            yield PlacedRecord(place, FileLine(line_of(found)))
        except ValueError as error:
            raise source.unreadable(place, str(error)) from None


FORMAT: Final = FileFormat(
    "festinger-lines", "an export of this program", _recognises, _read
)
