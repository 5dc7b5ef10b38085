"""A person answers for what is remembered about them."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Name the subject of a record as who can answer."""
    run_file(__file__)
