"""Values that the storage of conversations reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from festinger.core.memories.interaction import (
    InteractionFinding,
    KeptTurnText,
    RejectedExtraction,
)


@dataclass(frozen=True, slots=True)
class CapturedTurns:
    """Turns to capture, with the session they belong to."""

    subject: str
    project: str
    session: str
    principal: str
    spoken: Sequence[KeptTurnText]
    extract: bool


@dataclass(frozen=True, slots=True)
class CompletedExtraction:
    """Completion of an extraction from an interaction, with its findings.

    Attributes:
        stored: The number of memories that were stored or confirmed.
        rejections: The extractions that were not stored, to be logged.
    """

    interaction_id: int
    lease: UUID
    findings: Sequence[InteractionFinding]
    stored: int
    log: Sequence[str]
    rejections: Sequence[RejectedExtraction] = ()
