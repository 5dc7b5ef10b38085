"""What a tenant may change while the server runs: the rows of the `config` table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any


class Position(StrEnum):
    """Where the block goes in a prompt (D5)."""

    STICKY = "sticky"
    """At the head of the system message on a session's first request, and put back
    there ever after; later news at the end of the newest user message."""
    SYSTEM = "system"
    """At the head of the system message, on every request."""
    RECENT = "recent"
    """At the head of the newest user message."""
    OFF = "off"
    """Nowhere."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """A tenant's settings, with the defaults of the specification.

    Attributes:
        saliency_read_threshold: Saliency or novelty from which a concept is
            recalled, ≥ 0.
        recollection_confidence_floor: Confidence below which an edge is not told,
            in [0.0, 1.0].
        recollection_recency_days: Days after which an unconfirmed edge is not told.
        recollection_max_concepts: Concepts in a block, at most.
        recollection_position: Where the block goes.
        hints_per_block: Unknown concepts that a block asks about, at most; 0
            switches the hint off.
    """

    saliency_read_threshold: float = 0.5
    recollection_confidence_floor: float = 0.6
    recollection_recency_days: float = 90.0
    recollection_max_concepts: int = 12
    recollection_position: Position = Position.STICKY
    hints_per_block: int = 3

    @classmethod
    def from_rows(cls, rows: Mapping[str, str]) -> tuple[Preferences, list[str]]:
        """Reads the rows of the `config` table.

        Returns:
            The preferences, and a sentence for each row that cannot be used: its
            default holds.
        """
        preferences, complaints = cls(), []
        for setting in fields(cls):
            if setting.name not in rows:
                continue
            kind = type(getattr(preferences, setting.name))
            try:
                value = _read(kind, rows[setting.name])
            except ValueError:
                complaints.append(
                    f"config {setting.name} is {rows[setting.name]!r}, which is no "
                    f"{_KINDS[kind]}; {getattr(cls(), setting.name)} is used"
                )
            else:
                preferences = replace(preferences, **{setting.name: value})
        return preferences, complaints

    def rows(self) -> dict[str, str]:
        """The rows of the `config` table that say the same."""
        return {name: str(value) for name, value in asdict(self).items()}


_KINDS = {
    int: "whole number from 0",
    float: "number from 0",
    Position: f"position ({', '.join(Position)})",
}


def _read(kind: type, text: str) -> Any:
    value: Any = kind(text)
    # Not a number compares with nothing.
    if isinstance(value, int | float) and not value >= 0:
        raise ValueError
    return value
