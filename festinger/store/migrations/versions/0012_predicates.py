"""Cardinality and synonyms of predicates."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add cardinality and synonyms to a memory's own predicates."""
    run_file(__file__)
