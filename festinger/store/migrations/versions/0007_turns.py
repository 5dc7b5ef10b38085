"""Storage of people's turns."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the turns with their sentences."""
    run_file(__file__)
