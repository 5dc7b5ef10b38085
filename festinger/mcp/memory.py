"""Calls from tools to the memory server."""

from __future__ import annotations

from typing import Any, Final

import grpc
import grpc.aio
from mcp.server.mcpserver.exceptions import ToolError

from festinger.api.v1 import (
    concept_service_pb2_grpc,
    conflict_service_pb2_grpc,
    line_service_pb2_grpc,
    memory_service_pb2_grpc,
)
from festinger.certificates import CertificateFiles
from festinger.channels import PLAIN, REOPEN_SECONDS, open_channel
from festinger.client.details import status_in
from festinger.config import TlsSettings
from festinger.errors import ConfigurationError
from festinger.mcp.callers import McpCaller

SECONDS: Final = 20.0
"""Timeout of a call in seconds."""

_STUBS: Final[dict[str, Any]] = {
    "memory": memory_service_pb2_grpc.MemoryServiceStub,
    "lines": line_service_pb2_grpc.LineServiceStub,
    "concepts": concept_service_pb2_grpc.ConceptServiceStub,
    "conflicts": conflict_service_pb2_grpc.ConflictServiceStub,
}


class MemoryRefusal(ToolError):
    """The memory server refused a call.

    Attributes:
        code: The status code.
    """

    def __init__(self, message: str, code: grpc.StatusCode) -> None:
        super().__init__(message)
        self.code = code


class MemoryCalls:
    """Stubs of a memory server; they connect when the first call is made.

    Args:
        address: HOST:PORT of the server.
        tls: Certificates of an encrypted connection.

    Raises:
        ConfigurationError: A certificate's file cannot be read.
    """

    def __init__(self, address: str, tls: TlsSettings = PLAIN) -> None:
        self._address = address
        self._tls = tls
        self._certificates = CertificateFiles(tls, "server.tls")
        self._open()

    async def call(self, method: str, request: Any, caller: McpCaller) -> Any:
        """Make a call and return the response.

        Args:
            method: Service and method. Example: `lines.Say`.

        Raises:
            MemoryRefusal: The call failed; the message says why and what to do.
        """
        service, _, name = method.partition(".")
        # A channel keeps the certificates that it was opened with: after a renewal it could
        # not reconnect.
        if self._certificates.version() != self._version:
            await self._reopen()
        try:
            return await getattr(self._stubs[service], name)(
                request, metadata=caller.metadata, timeout=SECONDS
            )
        except grpc.aio.AioRpcError as error:
            raise MemoryRefusal(self._explain(error), error.code()) from None

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    def _open(self) -> None:
        # Looked at first: a file that is replaced meanwhile is seen at the next call.
        version = self._certificates.version()
        self._channel = open_channel(self._address, self._tls)
        self._version = version
        self._stubs = {name: stub(self._channel) for name, stub in _STUBS.items()}

    async def _reopen(self) -> None:
        """Connect with the certificates as they are now; calls may end first."""
        former = self._channel
        try:
            self._open()
        except ConfigurationError:
            return  # half replaced; the former connection still serves
        await former.close(REOPEN_SECONDS)

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
