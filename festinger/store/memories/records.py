"""Values that the storage of conversations reads and writes, and their rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from festinger.core.language.turns import Role, Turn
from festinger.core.memories.interaction import (
    Interaction,
    InteractionFinding,
    KeptTurnText,
    RejectedExtraction,
)
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import MemoryType
from festinger.store.system.queries import value_of


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


def to_interaction(row: asyncpg.Record) -> Interaction:
    """Convert a row to an interaction; without turns if the row has none."""
    # Lists leave out what was said.
    whole = "turns" in row
    return value_of(
        Interaction,
        row,
        turns=[Turn(Role(it["role"]), it["text"]) for it in json.loads(row["turns"])]
        if whole
        else (),
        summary=row["summary"] if whole else "",
        findings=list(map(to_found, json.loads(row["findings"]))) if whole else (),
        log=row["log"] if whole else (),
        lease=row["leased_by"],
    )


def to_found(found: dict[str, Any]) -> InteractionFinding:
    """Convert JSON to a finding in an interaction."""
    # JSON has a type as text.
    return InteractionFinding(**found | {"type": MemoryType(found["type"])})


def to_rejection(row: asyncpg.Record) -> RejectedExtraction:
    """Convert a row to an extraction that was not stored."""
    return value_of(RejectedExtraction, row, details=json.loads(row["details"]))


def to_memory(row: asyncpg.Record) -> Memory:
    """Convert a row to a memory about a subject."""
    return value_of(Memory, row)
