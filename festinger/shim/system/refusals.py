"""Refusals of the memory server, parsed from gRPC errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import grpc

from festinger.client.failures import details_in, status_in


class MemoryRefused(Exception):
    """The memory refused a call, or cannot be reached.

    Args:
        code: The gRPC status code.
        message: The server's message: the cause and the remedy.
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
        status = status_in(error)
        reason, _ = details_of(status.details if status else ())
        # A connection that broke has a code and no details.
        return cls(error.code(), error.details() or "", reason)


def details_of(details: Iterable[Any]) -> tuple[str, float]:
    """Return the reason in a status' details, and when to try again in seconds.

    Returns:
        An empty reason if it is not the memory server's, such as a gateway's; 0 seconds
        if none are named.
    """
    info, seconds = details_in(details)
    # `ERROR_REASON_FACT_SYNTAX` becomes `fact_syntax`.
    reason = info.reason.removeprefix("ERROR_REASON_").lower() if info else ""
    return reason, seconds
