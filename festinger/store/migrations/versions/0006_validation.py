"""Validation of candidates by people."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add votes, questions, provenance, dreaming and the learned ratings."""
    run_file(__file__)
