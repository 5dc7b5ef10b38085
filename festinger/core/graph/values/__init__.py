"""Values of statements, in one canonical form for all their spellings."""

from __future__ import annotations

from festinger.core.graph.values.canonical import canonical, is_value
from festinger.core.graph.values.comparing import (
    completed,
    is_closer,
    is_empty_head,
    is_other_version,
    is_refinement,
    unit_of,
)
from festinger.core.graph.values.kinds import VALUE_CHARACTERS_MAX, Value, ValueKind

__all__ = [
    "VALUE_CHARACTERS_MAX",
    "Value",
    "ValueKind",
    "canonical",
    "completed",
    "is_closer",
    "is_empty_head",
    "is_other_version",
    "is_refinement",
    "is_value",
    "unit_of",
]
