"""A cycle of reviews for each project, instead of one for the whole memory."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Divide the cycle of each memory among the projects of its candidates."""
    run_file(__file__)
