"""Records whose document does not say them any longer are looked up when asked for."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Give the inbox's views a column of its own for it."""
    run_file(__file__)
