"""Conversion of rows to waves, and the error for a missing one."""

from __future__ import annotations

import json

import asyncpg

from festinger.core.review.waves import Wave, WaveReport, WaveState, WaveTally
from festinger.errors import WaveNotFound
from festinger.store.graph.rows import seconds_or_none, to_seconds


def not_found(wave_id: int) -> WaveNotFound:
    """Return the error for a missing wave."""
    return WaveNotFound(
        f"there is no wave {wave_id}. Which there are: festinger review ingestions",
        wave_id=str(wave_id),
    )


def to_wave(row: asyncpg.Record) -> Wave:
    """Convert a row to a wave."""
    report = json.loads(row["report"])
    return Wave(
        id=row["id"],
        project=row["project"],
        root=row["root"],
        scope=row["scope"],
        principal=row["principal"],
        extract=row["extract"],
        state=WaveState(row["state"]),
        started=to_seconds(row["started_at"]),
        ended=seconds_or_none(row["ended_at"]),
        tally=WaveTally(
            row["files"],
            row["unchanged"],
            row["refused"],
            row["removed"],
            row["chunks_new"],
            row["chunks_kept"],
        ),
        report=WaveReport(**report) if report else None,  # {} before the end
        error=row["error"],
    )
