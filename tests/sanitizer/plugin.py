"""pytest under the sanitizers: the right extensions, and fewer examples."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import hypothesis
import pytest

from tests.sanitizer.__main__ import EXAMPLES


def pytest_sessionstart(session: pytest.Session) -> None:
    """Ends the run where the extensions are not those that were built for it."""
    wanted = Path(os.environ["FESTINGER_SANITIZED"])
    module = importlib.import_module("festinger._fast.native")
    if wanted not in Path(module.__file__ or "").parents:
        pytest.exit(f"{module.__file__} is not sanitized", returncode=1)


hypothesis.settings.register_profile("sanitized", deadline=None, max_examples=EXAMPLES)
hypothesis.settings.load_profile("sanitized")
