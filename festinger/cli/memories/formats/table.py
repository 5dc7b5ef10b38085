"""Tables with a header (CSV, TSV): statements, or nodes and edges of Neo4j.

Columns are `subject, predicate, value` and, if there are any, `quote, negated, speaker,
project, time`. A table of Neo4j's `apoc.export.csv` has `_id`, `_labels`, `_start`, `_end`
and `_type`, and a name among the properties.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Final

from festinger.cli.memories.formats.records import (
    FileRefusal,
    FileStatement,
    PlacedRecord,
    Record,
    time_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import LINE_BYTES_MAX, ImportSource

_OTHERS: Final = {
    "object": "value",
    "by": "speaker",
    "author": "speaker",
    "said": "time",
    "since": "time",
    "date": "time",
}
_NEEDED: Final = ("subject", "predicate", "value")
_GRAPH: Final = {"_start", "_end", "_type"}  # Neo4j's table of nodes and edges
_YES: Final = ("true", "yes", "1")


def _recognises(sample: FileSample) -> bool:
    if sample.objects or not sample.text:
        return False
    header = set(_first_row(sample.text.partition("\n")[0]))
    return header >= set(_NEEDED) or header >= _GRAPH


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    # A cell may be a long text; the default is 128 KiB.
    csv.field_size_limit(LINE_BYTES_MAX)
    places = ["line 1"]

    def texts() -> Iterator[str]:
        """Yield the lines, and keep the place of the last one."""
        for place, text in source.lines():
            places[0] = place
            # csv needs line breaks to tell the ends of rows.
            yield f"{text}\n"

    lines = texts()
    first = next(lines, "")
    delimiter = _delimiter(first)
    names: dict[str, str] = {}
    try:
        header = _first_row(first)
        if not (set(header) >= set(_NEEDED) or set(header) >= _GRAPH):
            raise source.unreadable(
                places[0], f"the header lacks one of {', '.join(_NEEDED)}"
            )
        # Strict: a quote that is not closed would swallow the rest of the file.
        for cells in csv.reader(lines, delimiter=delimiter, strict=True):
            # Short rows lack columns; cells beyond the header are nobody's.
            row = dict(zip(header, cells, strict=False))
            if row.keys() >= _GRAPH:
                yield from (PlacedRecord(places[0], it) for it in _of_graph(row, names))
            else:
                yield PlacedRecord(places[0], _statement(row))
    except csv.Error as error:
        raise source.unreadable(
            places[0], f"the table is wrong or cut off: {error}"
        ) from None


def _first_row(text: str) -> list[str]:
    """Return the names of columns. Raises `csv.Error`: it is no row of a table."""
    return _header(next(csv.reader([text], delimiter=_delimiter(text)), []))


def _statement(row: Mapping[str, str]) -> Record:
    subject, predicate, value = (row.get(key, "").strip() for key in _NEEDED)
    if not (subject and predicate and value):
        return FileRefusal("subject, predicate or value is empty")
    time = row.get("time", "").strip()
    return FileStatement(
        subject,
        predicate,
        value,
        row.get("quote", ""),
        row.get("negated", "").strip().lower() in _YES,
        row.get("speaker", ""),
        row.get("project", ""),
        time_of(float(time) if time.replace(".", "", 1).isdigit() else time),
    )


def _of_graph(row: Mapping[str, str], names: dict[str, str]) -> Iterator[Record]:
    if row["_start"]:
        begin, end = names.get(row["_start"], ""), names.get(row["_end"], "")
        if not (begin and end):
            yield FileRefusal("a node has no name")
            return
        words = row["_type"].replace("_", " ").lower()
        yield FileStatement(begin, words, end, row.get("fact", ""))
        return
    name = row.get("name") or row.get("title") or ""
    names[row.get("_id", "")] = name
    for label in filter(None, row.get("_labels", "").split(":")):  # `:Person:Employee`
        if name and label != "Entity":
            yield FileStatement(name, "is a", label)


def _header(cells: list[str]) -> list[str]:
    names = [it.strip().lower() for it in cells]
    return [_OTHERS.get(it, it) for it in names]


def _delimiter(line: str) -> str:
    return max(",;\t", key=line.count)  # the most frequent one; a comma for none


FORMAT: Final = FileFormat(
    "table", "statements, or nodes and edges of Neo4j (CSV, TSV)", _recognises, _read
)
