"""Tombstones and redirects, and the change log that servers follow."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the tables and columns."""
    run_file(__file__)
