"""Graceful shutdown of work on signals."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import click

_Result = TypeVar("_Result")


def supervised(
    work: Coroutine[Any, Any, _Result], tell: Callable[[], None] = lambda: None
) -> _Result:
    """Run a coroutine; cancel it on SIGINT (Ctrl-C), SIGTERM or SIGHUP.

    Args:
        work: The coroutine.
        tell: Called when the cancellation starts.

    Raises:
        click.Abort: The coroutine was cancelled.
    """

    async def watched() -> _Result:
        """Run the work with signal handlers that stop it."""
        task = asyncio.create_task(work)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # A process started with nohup outlives the terminal.
            if (number, signal.getsignal(number)) != (signal.SIGHUP, signal.SIG_IGN):
                loop.add_signal_handler(number, _stop, task, number, tell)
        try:
            return await task
        except asyncio.CancelledError:
            raise click.Abort from None

    return asyncio.run(watched())


def _stop(task: asyncio.Task[Any], number: int, tell: Callable[[], None]) -> None:
    if not task.cancelling():
        task.cancel()
        tell()
    elif number != signal.SIGHUP:
        # A second signal exits at once, and the next start cleans up. SIGHUP does not
        # count, because a terminal and its shell may both send it.
        os._exit(130)
