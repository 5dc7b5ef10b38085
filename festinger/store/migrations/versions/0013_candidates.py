"""One name for candidates."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Rename the table of candidates and what refers to it."""
    run_file(__file__)
