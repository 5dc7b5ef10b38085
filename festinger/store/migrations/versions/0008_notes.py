"""Change log entries about entities and trusted state."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add a flag for changed entities or trusted state to the change log."""
    run_file(__file__)
