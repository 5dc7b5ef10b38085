"""Several values of a concept in a dimension."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add slots to edges, and the origins of statements."""
    run_file(__file__)
