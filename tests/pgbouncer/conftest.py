"""These tests run if they are named, as `make test-pgbouncer` does.

They need a PgBouncer, which is not installed with everything else.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apart import ignore_unless_named, miss
from tests.pgbouncer.bouncer import program

pytest_ignore_collect = ignore_unless_named(Path(__file__).parent)


@pytest.fixture(scope="session", autouse=True)
def required() -> None:
    """Skip, or fail where everything has to run, without a PgBouncer."""
    if program() is None:
        miss("there is no PgBouncer: make test-pgbouncer")
