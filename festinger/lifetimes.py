"""Base classes of context managers that close or stop themselves at their end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


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
