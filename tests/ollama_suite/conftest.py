"""These tests run if they are named, as `make test-ollama-suite` does.

They need an environment of their own, with the archive of the official client in it.
"""

from __future__ import annotations

from pathlib import Path

from tests.apart import ignore_unless_named, tell_if_left_out
from tests.shim.conftest import memory, ollama, start_shim

__all__ = ["memory", "ollama", "start_shim"]

HERE = Path(__file__).parent


pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(
    HERE, "Ollama's own tests not tried: make test-ollama-suite"
)
