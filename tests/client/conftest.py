from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from festinger.client import AsyncClient, Client, RecollectStream
from tests import serving
from tests.clients.conftest import lines, server
from tests.rpc.conftest import door

__all__ = ["door", "lines", "server"]

KINDS = ("awaiting", "blocking")


class Threaded:
    """
    A blocking client or stream whose methods run in threads, so that they are awaited as
    those of the other one.
    """

    def __init__(self, blocking: Client | RecollectStream) -> None:
        self._blocking = blocking

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._blocking, name)

        async def call(*arguments: Any, **named: Any) -> Any:
            found = await asyncio.to_thread(method, *arguments, **named)
            if isinstance(found, Client | RecollectStream):
                return Threaded(found)
            if isinstance(found, Iterator):
                return await asyncio.to_thread(list, found)
            return found

        return call


class Awaiting:
    """A client whose methods are all awaited, those that yield as well."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        async def call(*arguments: Any, **named: Any) -> Any:
            found = method(*arguments, **named)
            if isinstance(found, AsyncClient):
                return Awaiting(found)
            if hasattr(found, "__aiter__"):
                return [each async for each in found]
            return await found if asyncio.iscoroutine(found) else found

        return call


class Connections:
    """Makes clients of the kind that is tested; they are closed at the test's end."""

    def __init__(self, kind: str, closing: AsyncExitStack) -> None:
        self._kind = kind
        self._closing = closing

    def to(self, address: str, **arguments: Any) -> Any:
        """Return a client of a server."""
        if self._kind == "awaiting":
            client = AsyncClient(address, **arguments)
            self._closing.push_async_callback(client.close)
            return Awaiting(client)
        blocking = Client(address, **arguments)
        self._closing.callback(blocking.close)
        return Threaded(blocking)


@pytest.fixture(params=KINDS)
async def connections(request: pytest.FixtureRequest) -> AsyncIterator[Connections]:
    """Make clients with an event loop, and then those without."""
    async with AsyncExitStack() as closing:
        yield Connections(request.param, closing)


@pytest.fixture
async def memory(connections: Connections, client: serving.Client) -> Any:
    """A client of the test's memory server."""
    return connections.to(client.address, token="guest")
