"""Lookup of the application's parts by entry point.

The command may not import the application (see `tests/test_layers.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from festinger.errors import ConfigurationError


def application(name: str) -> Callable[..., Any]:
    """Return a part of the application by the name of its entry point."""
    for point in entry_points(group="festinger.app", name=name):
        part: Callable[..., Any] = point.load()
        return part
    raise ConfigurationError(
        "festinger is not installed in this Python: run `make install`, or "
        "`pip install .`"
    )
