"""These tests run if they are named, as `make test-js` does.

They need a Node.js of their own, with the official clients.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apart import named
from tests.shim.conftest import memory, ollama, shim, start_shim

__all__ = ["memory", "ollama", "shim", "start_shim"]

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
            "JavaScript clients not tried: make test-js", yellow=True
        )
