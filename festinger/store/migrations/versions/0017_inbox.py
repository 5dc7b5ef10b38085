"""The inbox."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Order everything that waits for people by what a mistake costs."""
    run_file(__file__)
