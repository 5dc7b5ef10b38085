"""Conflicts are settled by a model or a person, and unknown concepts looked into."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Adds the models, what they were asked, what waits for them, and their runs."""
    run_file(__file__)
