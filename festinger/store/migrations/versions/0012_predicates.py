"""Predicates say how many values a subject has, and have synonyms."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Adds cardinality and synonyms to a memory's own predicates."""
    run_file(__file__)
