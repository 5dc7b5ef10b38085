"""The soak runs if it is named, as `make test-soak` does: it takes 20 minutes."""

from __future__ import annotations

from pathlib import Path

from tests.apart import ignore_unless_named

pytest_ignore_collect = ignore_unless_named(Path(__file__).parent)
