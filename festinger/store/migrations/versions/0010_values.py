"""A concept may have several values in a dimension."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add slots to edges, and where statements were read from."""
    run_file(__file__)
