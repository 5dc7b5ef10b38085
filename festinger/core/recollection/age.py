"""Mark the lines of an answer that may be old, because the database is silent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger._fast import GraphLineKind, Line

# `gnommoweb: [type] repo (as of 14:05)`
_MARK: Final = re.compile(r" \(as of \d\d:\d\d\)\Z")


def mark_age(lines: Sequence[Line], clock: str) -> list[Line]:
    """Return lines that say when they were last known to hold; hints stay as they are.

    Args:
        clock: Time of day, as in `14:05`.
    """
    return [
        line
        # A hint says nothing that could be out of date.
        if line.kind is GraphLineKind.HINT
        else Line(line.concept, f"{line.text} (as of {clock})", line.kind, line.why)
        for line in lines
    ]


def without_age(text: str) -> str:
    """Return the text of a line without its mark."""
    # A line that a session was told with the mark is still the same line.
    return _MARK.sub("", text)
