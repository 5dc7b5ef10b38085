"""Row-level security by tenant."""

from __future__ import annotations

from festinger.store.migrations import run_file

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Restrict every table with a tenant to the rows of the transaction's tenant."""
    run_file(__file__)
