"""Blocks are put back where they were told."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Moves the memories that have the old default to the new one."""
    run_file(__file__)
