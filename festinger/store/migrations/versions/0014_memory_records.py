"""One name for memory records."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Rename the table of memory records and what refers to it."""
    run_file(__file__)
