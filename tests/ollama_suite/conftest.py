"""These tests run if they are named, as `make test-ollama-suite` does.

They need an environment of their own, with the archive of the official client in it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apart import named
from tests.shim.conftest import memory, ollama, start_shim

__all__ = ["memory", "ollama", "start_shim"]

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
            "Ollama's own tests not tried: make test-ollama-suite", yellow=True
        )
