"""Smaller storage of memories, half the previous size."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Drop words that occurred once, and store turns and changes more compactly."""
    run_file(__file__)
