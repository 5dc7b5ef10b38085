"""What asking models costs those who ask none."""

from __future__ import annotations

import subprocess
import sys

import pytest

SDKS = {"anthropic", "openai", "httpx2", "slack_sdk"}


@pytest.mark.parametrize("module", ["festinger.app", "festinger.cli.system.start"])
def test_sdks_are_not_imported_before_they_are_needed(module):
    """
    They take longer to import than all the rest; a server that asks nobody starts without.
    """
    script = f"import sys, {module}; print(*sorted(sys.modules))"

    loaded = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    ).stdout.split()

    assert "festinger" in loaded
    assert SDKS & set(loaded) == set()
