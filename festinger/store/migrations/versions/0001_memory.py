"""Initial schema of memories."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    run_file(__file__)
