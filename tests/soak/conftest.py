"""The soak runs if it is named, as `make test-soak` does: it takes 20 minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apart import named


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """
    Leaves the soak out of a run that does not name it.
    """
    return None if named(config, Path(__file__).parent) else True
