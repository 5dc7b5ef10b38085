"""What keeping conversations reads and writes, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.memories.interaction import (
    KeptTurnText,
)


@dataclass(frozen=True, slots=True)
class Captured:
    """Turns that somebody brings, and where they belong."""

    subject: str
    project: str
    session: str
    principal: str
    spoken: Sequence[KeptTurnText]
    extract: bool
