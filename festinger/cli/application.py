"""The parts of the application that the command starts.

The command does not import the application, but finds it by name.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from festinger.errors import ConfigurationError


def application(name: str) -> Callable[..., Any]:
    """A part of the application, by the name of its entry point.

    Raises:
        ConfigurationError: Festinger is not installed, only lying about.
    """
    for point in entry_points(group="festinger.app", name=name):
        part: Callable[..., Any] = point.load()
        return part
    raise ConfigurationError(
        "festinger is not installed in this Python: run `make install`, or "
        "`pip install .`"
    )
