"""Keeps large prompts from holding up the others.

What is worked out about a prompt takes some milliseconds a megabyte. All requests share
one thread, so beyond a size it is worked out in another: what others then wait for is one
step of it, such as reading the JSON, and not the sum.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

ASIDE_BYTES_MIN: Final = 256 * 2**10
"""Of a body; changing threads costs more than it saves with smaller ones."""

READ_BYTES_MAX: Final = 32 * 2**20
"""Larger bodies are not read: JSON is read in one step, which others wait for."""


async def aside(
    size: int, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Calls a function that does not touch what requests share.

    Args:
        size: Of the request's body, in bytes.
        function: Runs in another thread if the body is large.
        args: For the function.
        kwargs: For the function.
    """
    if size < ASIDE_BYTES_MIN:
        return function(*args, **kwargs)
    return await asyncio.to_thread(function, *args, **kwargs)
