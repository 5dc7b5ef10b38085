"""Calls from tools to the memory server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import grpc
import grpc.aio
from mcp.server.mcpserver.exceptions import ToolError

from festinger.channels import PLAIN, RenewedChannel
from festinger.client.details import status_in
from festinger.client.methods import calling, method_of
from festinger.config import TlsSettings
from festinger.mcp.callers import McpCaller

SECONDS: Final = 20.0
"""Timeout of a call in seconds."""


class MemoryRefusal(ToolError):
    """The memory server refused a call.

    Attributes:
        code: The status code.
    """

    def __init__(self, message: str, code: grpc.StatusCode) -> None:
        super().__init__(message)
        self.code = code


class MemoryCalls:
    """Connection to a memory server, made when the first call is.

    Args:
        address: HOST:PORT of the server.
        tls: Certificates of an encrypted connection.

    Raises:
        ConfigurationError: A certificate's file cannot be read.
    """

    def __init__(self, address: str, tls: TlsSettings = PLAIN) -> None:
        self._address = address
        self._channel = RenewedChannel(address, tls)

    async def call(self, request: Any, caller: McpCaller) -> Any:
        """Make the call of a request, and return the response, or `MemoryRefusal`."""
        channel = await self._channel.current()
        try:
            return await calling(channel, method_of(request))(
                request, metadata=caller.metadata, timeout=SECONDS
            )
        except grpc.aio.AioRpcError as error:
            raise MemoryRefusal(self._explain(error), error.code()) from None

    async def pages(self, request: Any, caller: McpCaller) -> AsyncIterator[Any]:
        """Yield the pages of a list. Raises `MemoryRefusal`."""
        while True:
            page = await self.call(request, caller)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    def _explain(self, error: Any) -> str:
        # Without a status of the server's own, it was not reached.
        if status_in(error) is None:
            if error.code() is grpc.StatusCode.UNAVAILABLE:
                return (
                    f"no memory server at {self._address}. Start one with "
                    "`festinger up`, or name it with --server"
                )
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                return (
                    f"the memory server at {self._address} did not answer in time; "
                    "try again"
                )
        return error.details() or "the memory server failed; its log says why"
