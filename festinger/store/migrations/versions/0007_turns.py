"""What people say is kept."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the turns of which sentences are kept."""
    run_file(__file__)
