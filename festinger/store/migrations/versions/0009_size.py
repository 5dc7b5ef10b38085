"""A memory takes half the room in the database."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Drops words that were met once, and stores turns and changes more closely."""
    run_file(__file__)
