"""What was settled stays settled, and servers follow each other."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the tables and columns."""
    run_file(__file__)
