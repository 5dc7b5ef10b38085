"""These tests run if they are named, as `make test-adapters` does.

The suite of each framework runs in an environment of its own, against a live server.
"""

from __future__ import annotations

from pathlib import Path

from tests.apart import ignore_unless_named, tell_if_left_out
from tests.e2e.conftest import festinger, settings, words

__all__ = ["festinger", "settings", "words"]

HERE = Path(__file__).parent
# What the other environment runs.
collect_ignore = ["suite"]

pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(
    HERE, "adapters for the frameworks of agents not tried: make test-adapters"
)
