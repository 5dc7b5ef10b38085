"""Lookup of the application's parts by entry point.

The command does not import the application directly.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from festinger.errors import ConfigurationError


def application(name: str) -> Callable[..., Any]:
    """Return a part of the application by the name of its entry point.

    Raises:
        ConfigurationError: Festinger is not installed, so it has no entry points.
    """
    for point in entry_points(group="festinger.app", name=name):
        part: Callable[..., Any] = point.load()
        return part
    raise ConfigurationError(
        "festinger is not installed in this Python: run `make install`, or "
        "`pip install .`"
    )
