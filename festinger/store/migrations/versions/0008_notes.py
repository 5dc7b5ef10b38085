"""Servers that follow learn of entities and trusted state."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adds to the log of changes whether entities or trusted state changed."""
    run_file(__file__)
