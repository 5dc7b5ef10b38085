"""These tests run if they are named, as `make test-patroni` does.

They need Patroni, etcd and HAProxy, which are not installed with everything else.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apart import ignore_unless_named, require
from tests.patroni.cluster import ENVIRONMENT

pytest_ignore_collect = ignore_unless_named(Path(__file__).parent)


@pytest.fixture(scope="session", autouse=True)
def required() -> None:
    """Skip, or fail where everything has to run, without them."""
    require(ENVIRONMENT, "Patroni", "test-patroni")
