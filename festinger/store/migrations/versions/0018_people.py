"""People's decisions, and their ratings of lines that prompts were told."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """List what is flagged in the inbox, and let it be narrowed down further."""
    run_file(__file__)
