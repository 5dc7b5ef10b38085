"""Refusals of the memory server, parsed from gRPC errors."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Self

import grpc

from festinger.client.details import reason_of


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


async def accepted(call: Awaitable[Any]) -> Any:
    """Return the response of a call.

    Raises:
        MemoryRefused: The server refuses it or cannot be reached.
    """
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        raise MemoryRefused.of(error) from None
