"""Conversion of rows to interactions and memories."""

from __future__ import annotations

import json
from typing import Any

import asyncpg

from festinger.core.language.turns import Role, Turn
from festinger.core.memories.interaction import (
    Interaction,
    InteractionFinding,
    InteractionState,
    RejectedExtraction,
)
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import MemoryType, Status
from festinger.store.graph.rows import seconds_or_none, to_seconds


def to_interaction(row: asyncpg.Record) -> Interaction:
    """Convert a row to an interaction; without turns if the row has none."""
    # Lists leave out what was said.
    whole = "turns" in row
    return Interaction(
        id=row["id"],
        subject=row["subject"],
        project=row["project"],
        session=row["session"],
        principal=row["principal"],
        state=InteractionState(row["state"]),
        extract=row["extract"],
        created=to_seconds(row["created_at"]),
        updated=to_seconds(row["updated_at"]),
        turn_count=row["turn_count"],
        turns=[Turn(Role(it["role"]), it["text"]) for it in json.loads(row["turns"])]
        if whole
        else (),
        summary=row["summary"] if whole else "",
        attempts=row["attempts"],
        last_error=row["last_error"],
        due=seconds_or_none(row["due_at"]),
        found=row["found"],
        stored=row["stored"],
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
    return RejectedExtraction(
        id=row["id"],
        subject=row["subject"],
        interaction_id=row["interaction_id"] or 0,
        reason=row["reason"],
        detail=row["detail"],
        text=row["text"],
        type=MemoryType(row["type"]),
        confidence=row["confidence"],
        threshold=row["threshold"],
        proposal=row["proposal"],
        details=json.loads(row["details"]),
        created=to_seconds(row["created_at"]),
    )


def to_memory(row: asyncpg.Record) -> Memory:
    """Convert a row to a memory about a subject."""
    return Memory(
        id=row["id"],
        subject=row["subject"],
        type=MemoryType(row["type"]),
        content=row["content"],
        confidence=row["confidence"],
        confirmed=to_seconds(row["confirmed_at"]),
        status=Status(row["status"]),
    )
