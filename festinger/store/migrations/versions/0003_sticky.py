"""New default of `recollection_position`: blocks keep their position."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Update the memories that have the old default."""
    run_file(__file__)
