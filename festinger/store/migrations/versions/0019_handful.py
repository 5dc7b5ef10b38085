"""Items of the inbox are put to people in chats."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Let a question be about an item of the inbox."""
    run_file(__file__)
