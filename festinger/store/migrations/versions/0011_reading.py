"""Queue of turns for a model that reads them."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the turns that a model is to read."""
    run_file(__file__)
