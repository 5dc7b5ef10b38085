"""CSV: what is held, with the columns that `festinger memories import` reads."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Final

from festinger.api.v1 import line_service_pb2 as pb

COLUMNS: Final = (
    "subject", "predicate", "value", "negated", "quote", "speaker", "project", "time",
)  # fmt: skip


def write(lines: Iterator[pb.MemoryLine]) -> Iterator[str]:
    """Yield the rows, the header first."""
    yield _row(COLUMNS)
    # Denials are rows as well, with `negated`; what waits or has ended is none.
    for line in lines:
        if line.HasField("held") and line.status == pb.MemoryLine.STATUS_ACTIVE:
            triple = line.held.triple
            time = line.say_time.ToJsonString() if line.HasField("say_time") else ""
            negated = "true" if triple.negated else ""
            names = (triple.concept, triple.dimension, triple.parent)
            yield _row((*names, negated, line.quote, line.speaker, line.project, time))


def _row(cells: tuple[str, ...]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
