"""The builds under test: both, in one run."""

from __future__ import annotations

import importlib
import os
from types import SimpleNamespace
from typing import Any

import pytest

from festinger._fast import _reference

reference: Any = _reference

try:
    compiled: Any = SimpleNamespace(
        **{
            name: getattr(importlib.import_module(f"festinger._fast.{module}"), name)
            for name, module in [
                ("Graph", "graph"),
                ("Loader", "loader"),
                ("Scan", "scanner"),
                ("scan", "scanner"),
                ("tell", "telling"),
                ("Vocabulary", "vocabulary"),
            ]
        }
    )
except ModuleNotFoundError:
    if os.environ.get("FESTINGER_REQUIRE_EXTENSIONS") == "1":
        raise
    compiled = None

needs_compiled = pytest.mark.skipif(
    compiled is None,
    reason="THE COMPILED BUILD IS NOT TESTED: run python setup.py build_ext --inplace",
)

BUILDS = [
    pytest.param(reference, id="python"),
    pytest.param(compiled, id="cython", marks=needs_compiled),
]


def told(scan: Any) -> tuple[Any, ...]:
    """Everything that a scan tells, but for its steps."""
    positions = range(len(scan))
    return (
        scan.text,
        list(scan),
        [scan.span(i) for i in positions],
        [scan.flags(i) for i in positions],
        scan.cues(),
    )
