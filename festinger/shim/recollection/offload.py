"""Offloading of work on large prompts to a thread, so that others are not delayed.

The work on a prompt takes some milliseconds per megabyte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

OFFLOAD_BYTES_MIN: Final = 256 * 2**10
"""Minimum size of a body to use a thread; for smaller ones the switch costs more."""

READ_BYTES_MAX: Final = 32 * 2**20
"""Maximum size of a body that is parsed, since parsing blocks other requests."""


async def offload(
    size: int, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Call a function, in another thread if the request is large.

    Args:
        function: Function that does not touch state shared by requests.
    """
    if size < OFFLOAD_BYTES_MIN:
        return function(*args, **kwargs)
    # The interpreter switches threads between steps, so that other requests wait for one
    # step at most, such as parsing the JSON, and not for the sum.
    return await asyncio.to_thread(function, *args, **kwargs)
