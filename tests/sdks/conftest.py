"""These tests run if they are named, as `make test-sdks` does.

They need the compilers of other languages; each is skipped, loudly, where its is missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apart import named
from tests.e2e.conftest import festinger, settings, words

__all__ = ["festinger", "settings", "words"]

HERE = Path(__file__).parent


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """
    Leaves these tests out of a run that does not name them.
    """
    return None if named(config, HERE) else True


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """
    Says that they were left out.
    """
    if not named(config, HERE):
        terminalreporter.write_line(
            "clients in other languages not tried: make test-sdks", yellow=True
        )
