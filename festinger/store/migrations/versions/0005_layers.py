"""Text goes in, and typed memories come out, which people promote."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds the layers: raw text, claims and their edits, and trusted state."""
    run_file(__file__)
