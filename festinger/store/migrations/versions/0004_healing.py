"""Models that settle conflicts and look into unknown concepts."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the models, their usage, the queues of work for them, and their runs."""
    run_file(__file__)
