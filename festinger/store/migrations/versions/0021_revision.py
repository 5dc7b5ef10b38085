"""Decisions by votes are revised after each learning."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Keep of which learning the revision is complete."""
    run_file(__file__)
