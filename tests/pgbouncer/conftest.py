"""These tests run if they are named, as `make test-pgbouncer` does.

They need a PgBouncer, which is not installed with everything else.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.apart import named
from tests.pgbouncer.bouncer import program


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """
    Leaves these tests out of a run that does not name them.
    """
    return None if named(config, Path(__file__).parent) else True


@pytest.fixture(scope="session", autouse=True)
def required() -> None:
    """
    Skips, or fails where everything has to run, without a PgBouncer.
    """
    if program() is None:
        why = "there is no PgBouncer: make test-pgbouncer"
        if os.environ.get("CI") or os.environ.get("FESTINGER_REQUIRE_ALL"):
            pytest.fail(why)
        pytest.skip(why)
