"""Work that is stopped in good order, by whatever asks it to."""

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
    """Does something; Ctrl-C, SIGTERM or the end of its terminal stop it.

    Args:
        tell: Called once it is being stopped.

    Raises:
        click.Abort: It was stopped.
    """

    async def watched() -> _Result:
        task = asyncio.create_task(work)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # Who starts it with nohup wants it to outlive the terminal.
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
        # Asked twice: whoever insists gets it, and the next start tidies up. A terminal
        # does not insist, though both it and its shell tell of its end.
        os._exit(130)
