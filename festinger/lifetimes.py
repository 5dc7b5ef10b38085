"""Ends of resources: base classes of context managers, and cancelling tasks."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Self


class Closeable(ABC):
    """Context manager that calls its `close`."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncCloseable(ABC):
    """The same for an event loop."""

    @abstractmethod
    async def close(self) -> None:
        """Release all resources."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Stoppable(ABC):
    """Server that is started and stopped by an async context manager."""

    @abstractmethod
    async def start(self) -> object:
        """Start to serve."""

    @abstractmethod
    async def stop(self) -> None:
        """Stop serving."""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()


async def cancel_all(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Cancel tasks, and wait until they have ended; None is none to cancel."""
    ending = [task for task in tasks if task is not None]
    for task in ending:
        task.cancel()
    # `gather` takes the tasks' cancellation, which is no error here; their errors are logged
    # where they occur.
    await asyncio.gather(*ending, return_exceptions=True)
