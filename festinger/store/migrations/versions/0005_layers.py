"""Extraction of typed memories from text, and their promotion by people."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the layers: raw text, claims and their edits, and trusted state."""
    run_file(__file__)
