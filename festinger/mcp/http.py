"""The server over streamable HTTP: each client brings a token of the memory server."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import unquote

import grpc
import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from festinger.api.v1.concept_service_pb2 import ListConceptsRequest
from festinger.config import host_and_port, is_loopback
from festinger.core.system.principals import bearer_in, is_name, is_title
from festinger.credentials import ALL, KnownTokens, hash_of
from festinger.errors import ConfigurationError
from festinger.mcp.memory import DEFAULT_TENANT, McpCaller, MemoryCalls, MemoryRefusal

PATH: Final = "/mcp"
NAME_MAX: Final = 128

# The library asks for an issuer, whom nobody calls.
TOKENS_ONLY: Final = AuthSettings(
    issuer_url=AnyHttpUrl("http://127.0.0.1"), resource_server_url=None
)
"""Bearer tokens are required; nothing here issues them."""


class HttpCallers:
    """Callers of HTTP requests, by their token and by headers.

    Args:
        tokens: The tokens of the data directory.
    """

    def __init__(self, tokens: KnownTokens) -> None:
        self._tokens = tokens

    def caller(self, headers: Mapping[str, str] | None) -> McpCaller:
        """Return the identity of a request. Raises `ToolError` for a wrong header."""
        # Only the form is checked here: the memory server judges what the token may.
        headers = headers or {}
        token = bearer_in(headers.get("authorization", "")) or ""
        # A token that holds exactly one memory needs no header.
        tenant = headers.get("x-festinger-tenant", "") or self.tenant_of(token)
        if not (is_name(tenant, NAME_MAX) and tenant.isascii()):
            raise ToolError("X-Festinger-Tenant names no memory")
        # Headers are ASCII, so letters of other scripts are percent-encoded.
        project = unquote(headers.get("x-festinger-project", ""))
        if project and not is_title(project, NAME_MAX):
            raise ToolError("X-Festinger-Project names no project")
        return McpCaller(tenant, token, project=project)

    def decider(self, headers: Mapping[str, str] | None) -> McpCaller:
        """Return the same identity: the token must be an operator's to decide."""
        # Whoever sends requests has no other credential here.
        return self.caller(headers)

    def tenant_of(self, token: str) -> str:
        """Return the memory of a token."""
        shown = hash_of(token)
        for it in self._tokens.callers:
            if (
                it.token_sha256 == shown
                and len(it.tenants) == 1
                # A token for several or all memories has no default among them.
                and ALL not in it.tenants
            ):
                return it.tenants[0]
        return DEFAULT_TENANT


class MemoryTokens:
    """Verifier of bearer tokens, which asks the memory server.

    Args:
        callers: Finds the memory of a token.
    """

    def __init__(self, memory: MemoryCalls, callers: HttpCallers) -> None:
        self._memory = memory
        self._callers = callers

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the access of a token; None if the memory server does not know it."""
        # What is no header value would make the call fail in another way.
        if not token.strip() or not token.isascii() or not token.isprintable():
            return None
        caller = McpCaller(self._callers.tenant_of(token), token)
        request = ListConceptsRequest(page_size=1)
        try:
            await self._memory.call(request, caller)
        except MemoryRefusal as error:
            if error.code is grpc.StatusCode.UNAUTHENTICATED:
                return None
            # Each call of a tool is judged again, and says what is wrong.
        name = hash_of(token)[:16]  # not the token, since the library may log it
        return AccessToken(token=token, client_id=name, scopes=[])


async def serve_http(
    app: Callable[..., Starlette], address: str, say: Callable[[str], None]
) -> None:
    """Serve an application until the process is told to stop.

    Args:
        app: Makes the application.
        address: HOST:PORT of the loopback interface; port 0 takes a free one.
        say: Is given the URL.

    Raises:
        ConfigurationError: The address is in use, or others could reach it.
    """
    host, port = host_and_port(address)
    # Tokens would travel in plain text.
    if not is_loopback(host):
        raise ConfigurationError(
            f"--http {address} is an address that others can reach, and the connection is "
            "not encrypted. Listen on 127.0.0.1, behind a proxy that encrypts"
        )
    try:
        listener = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {address}: {error.strerror}. Choose another with --http"
        ) from None
    # Errors of the library go where the command's own go; nobody's calls are logged.
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    shown = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        app(streamable_http_path=PATH, transport_security=_own_names_only(shown)),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,  # a client's stream has no end of its own
    )
    # Said after the socket is bound, so that port 0 is known and clients can connect.
    say(f"http://{shown}:{listener.getsockname()[1]}{PATH}")
    with listener:
        await uvicorn.Server(config).serve([listener])


def _own_names_only(host: str) -> TransportSecuritySettings:
    """Return the guard against web pages whose name leads to this machine."""
    # The library has one of its own for three names only, and loopback has more
    # addresses: 127.0.0.2.
    names = [f"{it}:*" for it in {"127.0.0.1", "localhost", "[::1]", host}]
    return TransportSecuritySettings(
        allowed_hosts=names, allowed_origins=[f"http://{it}" for it in names]
    )
