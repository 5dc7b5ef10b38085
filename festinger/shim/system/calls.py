"""Calls of the memory server that no prompt waits for, and their refusals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Self

import grpc

from festinger.client.channel import Metadata
from festinger.client.details import reason_of
from festinger.client.methods import calling, method_of

SECONDS_MAX: Final = 10.0
"""Timeout of a call in seconds."""

Call = Callable[[Any], Awaitable[Any]]
"""Calls the method that takes a request, and returns its response."""


class MemoryRefused(Exception):
    """The memory refused a call, or cannot be reached.

    Args:
        reason: Machine-readable reason; empty if the server gives none.
    """

    def __init__(self, code: grpc.StatusCode, message: str, reason: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason

    @classmethod
    def of(cls, error: grpc.aio.AioRpcError) -> Self:
        """Return the refusal for the error of a call."""
        # A connection that broke has a code and no details.
        return cls(error.code(), error.details() or "", reason_of(error))


async def call(
    channel: grpc.aio.Channel,
    request: Any,
    metadata: Metadata = (),
    seconds: float = SECONDS_MAX,
) -> Any:
    """Call the memory server's method that takes a request, and return its response.

    Raises:
        MemoryRefused: The server refuses it or cannot be reached.
    """
    try:
        method = calling(channel, method_of(request))
        return await method(request, metadata=metadata, timeout=seconds)
    except grpc.aio.AioRpcError as error:
        raise MemoryRefused.of(error) from None
