"""These tests run if they are named, as `make test-schemathesis` does.

They need Schemathesis, in an environment of its own.
"""

from __future__ import annotations

from pathlib import Path

from tests.apart import ignore_unless_named, tell_if_left_out
from tests.console.conftest import house

__all__ = ["house"]

HERE = Path(__file__).parent


pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(
    HERE, "HTTP API not tried by Schemathesis: make test-schemathesis"
)
