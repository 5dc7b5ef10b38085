"""Typed clients of the memory server, with and without an event loop.

    with Client("127.0.0.1:7700", project="shop") as memory:
        outcome = memory.assert_fact("gnommoweb -isa repo")

`Client` blocks, `AsyncClient` awaits; both have the same methods. A contradiction is an
outcome, not an error. Errors are those of `festinger.errors`, and of
`festinger.client.failures` where the server was not reached.
"""

from __future__ import annotations

from festinger.client.aio import AsyncClient
from festinger.client.async_stream import AsyncRecollectStream
from festinger.client.blocking import Client
from festinger.client.failures import ServerTooSlow, ServerUnreachable
from festinger.client.stream import RecollectStream

__all__ = [
    "AsyncClient",
    "AsyncRecollectStream",
    "Client",
    "RecollectStream",
    "ServerTooSlow",
    "ServerUnreachable",
]
