"""Without its extensions the program says what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Hides a compiled module, as if it had never been built.
HIDE = """
import importlib.abc, sys
class Hide(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "festinger._fast.native":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hide())
import festinger._fast
"""


def test_missing_extension_is_an_error_that_says_what_to_do() -> None:
    """It names the module, and the command that compiles it."""
    done = subprocess.run(
        [sys.executable, "-c", HIDE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "ImportError: festinger._fast.native is not compiled" in done.stderr
    assert "make install" in done.stderr
