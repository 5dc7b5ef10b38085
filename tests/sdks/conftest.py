"""These tests run if they are named, as `make test-sdks` does.

They need the compilers of other languages; each is skipped, loudly, where its is missing.
"""

from __future__ import annotations

from pathlib import Path

from tests.apart import ignore_unless_named, tell_if_left_out
from tests.e2e.conftest import festinger, settings, words

__all__ = ["festinger", "settings", "words"]

HERE = Path(__file__).parent


pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(
    HERE, "clients in other languages not tried: make test-sdks"
)
