"""Values that the storage of conversations reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.memories.interaction import KeptTurnText


@dataclass(frozen=True, slots=True)
class Captured:
    """Turns to capture, with the session they belong to."""

    subject: str
    project: str
    session: str
    principal: str
    spoken: Sequence[KeptTurnText]
    extract: bool
