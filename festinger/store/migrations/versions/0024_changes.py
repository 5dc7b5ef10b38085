"""A change is heard, though its server ends before it is decided."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Keep who changes what with the conflict that waits for it."""
    run_file(__file__)
