"""The directory of tenants."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Let a tenant be assigned to a server."""
    run_file(__file__)
