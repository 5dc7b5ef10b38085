"""People confirm what machines only guess."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Adds votes, questions, provenance, dreaming and what is learnt of all that."""
    run_file(__file__)
