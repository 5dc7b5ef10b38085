"""Conversion of rows to waves, and the error for a missing one."""

from __future__ import annotations

import json

import asyncpg

from festinger.core.review.waves import Wave, WaveReport, WaveTally
from festinger.errors import WaveNotFound
from festinger.store.system.values import value_of


def not_found(wave_id: int) -> WaveNotFound:
    """Return the error for a missing wave."""
    return WaveNotFound(
        f"there is no wave {wave_id}. Which there are: festinger review ingestions",
        wave_id=str(wave_id),
    )


def to_wave(row: asyncpg.Record) -> Wave:
    """Convert a row to a wave."""
    report = json.loads(row["report"])
    return value_of(
        Wave,
        row,
        tally=value_of(WaveTally, row),
        report=WaveReport(**report) if report else None,  # {} before the end
    )
