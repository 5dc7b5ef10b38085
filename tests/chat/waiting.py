"""Waiting for what happens in other processes."""

from __future__ import annotations

from collections.abc import Callable

from tests.shim.conftest import until as until_soon

SECONDS_MAX = 30.0


async def until(condition: Callable[[], object], seconds: float = SECONDS_MAX) -> None:
    """
    Waits for a condition, or fails.
    """
    await until_soon(condition, seconds)
