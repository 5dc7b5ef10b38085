"""Fixtures of the hot path's tests."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fast.builds import BUILDS


@pytest.fixture(params=BUILDS)
def build(request: pytest.FixtureRequest) -> Any:
    """One build of the hot path: each test runs with both."""
    return request.param
