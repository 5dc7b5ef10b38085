"""Servers in processes of their own, so that who measures does not slow them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from typing import Any, Self, TypeAlias

from festinger.cli import logs

Serving: TypeAlias = Callable[..., AbstractAsyncContextManager[str]]
"""Opens a server and says where it listens."""

START = "spawn"
"""How a process begins: from nothing, so that it weighs what it would alone."""
_START_SECONDS = 120.0
_STOP_SECONDS = 10.0
_PIDS: dict[str, int] = {}
"""Of the processes, by where they listen."""


@contextmanager
def process(serving: Serving, *arguments: object) -> Iterator[str]:
    """Runs a server in another process while the block runs.

    Args:
        serving: A function of a module, which can be sent by name.
        arguments: For it.

    Yields:
        Where it listens.
    """
    context: Any = multiprocessing.get_context(START)
    ours, theirs = context.Pipe()
    child = context.Process(target=_run, args=(theirs, serving, arguments), daemon=True)
    child.start()
    theirs.close()
    try:
        if not ours.poll(_START_SECONDS):
            raise TimeoutError(f"{serving.__name__} did not start")
        address: str = ours.recv()
        _PIDS[address] = child.pid
        yield address
    finally:
        ours.close()
        child.join(_STOP_SECONDS)
        if child.is_alive():
            child.kill()
            child.join()


def processor_seconds(address: str) -> float:
    """Return the processor's time that a process of `process` has taken so far.

    Args:
        address: Where it listens.
    """
    return seconds_of(_PIDS[address])


class ProcessorClock:
    """The processor's time of this process, and of those that it started, in a block.

    Attributes:
        seconds: Known behind the block.
    """

    seconds = 0.0

    def __enter__(self) -> Self:
        self._others = seconds_of_children("self")
        self._started = process_time()
        return self

    def __exit__(self, *_: object) -> None:
        here = process_time() - self._started
        self.seconds = here + seconds_of_children("self") - self._others


def seconds_of_children(process_id: int | str) -> float:
    """Return the processor's time that the children of a process have taken."""
    children = Path(f"/proc/{process_id}/task").glob("*/children")
    numbers = [int(it) for file in children for it in file.read_text().split()]
    return sum(map(seconds_of, numbers))


def seconds_of(process_id: int) -> float:
    """Return the processor's time that a process has taken so far."""
    tasks = Path(f"/proc/{process_id}/task").glob("*/schedstat")
    return sum(int(it.read_text().split()[0]) for it in tasks) / 1e9


def _run(parent: Connection, serving: Serving, arguments: tuple[object, ...]) -> None:
    logs.set_up(logging.ERROR)
    asyncio.run(_serve(parent, serving, arguments))


async def _serve(
    parent: Connection, serving: Serving, arguments: tuple[object, ...]
) -> None:
    async with serving(*arguments) as address:
        parent.send(address)
        ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(parent.fileno(), ended.set)
        await ended.wait()
