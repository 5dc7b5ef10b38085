"""Modules that a program imports."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

PROGRAMS = tuple(f"festinger.programs.{it}" for it in ("server", "shim", "bots"))


@cache
def imported_by(*modules: str) -> frozenset[str]:
    """Return the modules that a process has once it has imported some."""
    script = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return frozenset(done.stdout.split())
