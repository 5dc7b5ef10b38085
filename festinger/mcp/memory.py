"""Calls from tools to the memory server, and on whose behalf they are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import grpc
import grpc.aio
from mcp.server.mcpserver.exceptions import ToolError

from festinger.channels import PLAIN, RenewedChannel
from festinger.client.details import status_in
from festinger.client.methods import calling, method_of
from festinger.config import TlsSettings
from festinger.core.system.principals import as_metadata
from festinger.credentials import LOCAL, OPERATOR, SHIM, read_token

DEFAULT_TENANT = "default"

Place: TypeAlias = tuple[str, str]
"""Tenant and project of a graph."""


@dataclass(frozen=True, slots=True)
class McpCaller:
    """Identity with which a tool calls the memory server.

    Attributes:
        token: The bearer token; None for none.
        person: Person on whose behalf it calls, for which the token must be trusted;
            empty for the token's own principal.
        project: Project of the session; empty for none.
    """

    tenant: str = DEFAULT_TENANT
    token: str | None = None
    person: str = ""
    project: str = ""

    @property
    def place(self) -> Place:
        """The tenant and the project."""
        return self.tenant, self.project

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of its calls."""
        pairs = [("festinger-tenant", self.tenant)]
        if self.token:
            pairs.append(("authorization", f"Bearer {self.token}"))
        if self.person:
            name = as_metadata(self.person)
            # Who speaks, and about whom a private memory is: the same person.
            pairs += [("festinger-principal", name), ("festinger-subject", name)]
        if self.project:
            pairs.append(("festinger-project", as_metadata(self.project)))
        return tuple(pairs)


class CallerSource(Protocol):
    """Finds the caller of a message by the headers that carried it."""

    def caller(self, headers: Mapping[str, str] | None) -> McpCaller:
        """Return the identity for calls that an agent may make."""

    def decider(self, headers: Mapping[str, str] | None) -> McpCaller | None:
        """Return the identity for a person's decision; None if there is none."""


@dataclass(frozen=True, slots=True)
class LocalCaller:
    """The one user of a server on standard input and output.

    Attributes:
        data_dir: Data directory, whose tokens are read when they are needed.
        person: The user's name; empty for any user of this machine.
        project: Project of the session; empty for none.
    """

    data_dir: Path
    tenant: str = DEFAULT_TENANT
    person: str = ""
    project: str = ""

    def caller(self, headers: Mapping[str, str] | None = None) -> McpCaller:
        """Return the user's identity."""
        # Naming somebody needs the token of those who speak for others (E5).
        token = read_token(self.data_dir, SHIM if self.person else LOCAL)
        return McpCaller(self.tenant, token, self.person, self.project)

    def decider(self, headers: Mapping[str, str] | None = None) -> McpCaller | None:
        """Return the operator's identity if this user can read its token."""
        # Whoever can read the operator's file may decide; the agent never sees the token.
        token = read_token(self.data_dir, OPERATOR)
        return McpCaller(self.tenant, token, project=self.project) if token else None


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
