"""What people say waits for a model that reads it."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Adds the turns that a model is to read."""
    run_file(__file__)
