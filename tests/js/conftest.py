"""These tests run if they are named, as `make test-js` does.

They need a Node.js of their own, with the official clients.
"""

from __future__ import annotations

from pathlib import Path

from tests.apart import ignore_unless_named, tell_if_left_out
from tests.shim.conftest import memory, ollama, shim, start_shim

__all__ = ["memory", "ollama", "shim", "start_shim"]

HERE = Path(__file__).parent


pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(
    HERE, "JavaScript clients not tried: make test-js"
)
