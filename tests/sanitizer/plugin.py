"""pytest under the sanitizers: the right extensions, and fewer examples."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.sanitizer.__main__ import EXAMPLES


class Fewer(hypothesis.settings):
    """Settings of tests, also of those that want more examples than there may be."""

    def __init__(
        self,
        parent: hypothesis.settings | None = None,
        *,
        max_examples: int = EXAMPLES,
        **others: Any,
    ) -> None:
        super().__init__(parent, max_examples=min(max_examples, EXAMPLES), **others)


# Test modules import it after this one.
hypothesis.settings = Fewer  # type: ignore[misc]


def pytest_sessionstart(session: pytest.Session) -> None:
    """End the run where the extensions are not those that were built for it."""
    # The tests' conftest has loaded a profile of its own.
    hypothesis.settings.register_profile(
        "sanitized", deadline=None, max_examples=EXAMPLES
    )
    hypothesis.settings.load_profile("sanitized")
    wanted = Path(os.environ["FESTINGER_SANITIZED"])
    module = importlib.import_module("festinger._fast.native")
    if wanted not in Path(module.__file__ or "").parents:
        pytest.exit(f"{module.__file__} is not sanitized", returncode=1)
