"""HTTP client of an upstream Ollama, which streams bodies in both directions."""

from __future__ import annotations

import socket
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import structlog
from aiohttp import hdrs, web
from multidict import CIMultiDict
from yarl import URL

from festinger.shim.proxy.answer import OutgoingRequest
from festinger.shim.proxy.guard import IncomingBody, RequestRefused
from festinger.shim.proxy.headers import request_headers
from festinger.shim.proxy.tokens import without_tokens
from festinger.sockets import keep_alive

log = structlog.get_logger(__name__)

# Bytes that are written at a time, and up to which a body is written at once.
_SLICE = 256 * 2**10
_WHOLE_BYTES_MAX = 2**20


class UpstreamUnreachable(RequestRefused):
    """The upstream does not answer.

    Args:
        connected: Whether it may have received a part of the request.
    """

    def __init__(self, status: int, message: str, *, connected: bool) -> None:
        super().__init__(status, message)
        self.connected = connected


class Upstream:
    """Client of one Ollama.

    Args:
        answer_seconds_max: Timeout of each read before and within an answer, in
            seconds; 0 for none.
    """

    def __init__(
        self, url: str, connect_seconds_max: float, answer_seconds_max: float
    ) -> None:
        self.limit(connect_seconds_max, answer_seconds_max)
        parsed = URL(url)
        # Logs and pages show the URL, so its password is kept apart.
        self.url = str(parsed.with_user(None)).rstrip("/")
        self._authorization: str | None = None
        if parsed.user:
            pair = f"{parsed.user}:{parsed.password or ''}".encode()
            self._authorization = f"Basic {b64encode(pair).decode()}"
        self._session: aiohttp.ClientSession | None = None

    def limit(self, connect_seconds_max: float, answer_seconds_max: float) -> None:
        """Set the timeouts of further requests, in seconds."""
        self._timeout = aiohttp.ClientTimeout(
            # An answer may take hours; only silence ends it.
            total=None,
            sock_connect=connect_seconds_max,
            sock_read=answer_seconds_max or None,
        )

    def start(self) -> None:
        """Open the connection pool."""
        self._session = aiohttp.ClientSession(
            # Bytes of an answer are forwarded as they are.
            auto_decompress=False,
            # Cookies of one client must not be sent for another.
            cookie_jar=aiohttp.DummyCookieJar(),
            connector=aiohttp.TCPConnector(limit=0, socket_factory=_open_socket),
            # The upstream gets the client's headers and no others.
            skip_auto_headers=(
                hdrs.ACCEPT,
                hdrs.ACCEPT_ENCODING,
                hdrs.CONTENT_TYPE,
                hdrs.USER_AGENT,
            ),
            # A gateway's headers may be longer than aiohttp's 8 KB.
            max_line_size=2**16,
            max_field_size=2**16,
        )

    async def stop(self) -> None:
        """Close the connection pool."""
        if self._session:
            await self._session.close()

    def send(
        self, path: str, body: bytes | None = None, authorization: str | None = None
    ) -> aiohttp.client._RequestContextManager:
        """Send a request of the shim's own, a POST if it has a body.

        The caller closes the answer.
        """
        headers: CIMultiDict[str] = CIMultiDict()
        if body is not None:
            headers[hdrs.CONTENT_TYPE] = "application/json"
        if authorization:
            headers[hdrs.AUTHORIZATION] = authorization
        return self._send("GET" if body is None else "POST", path, headers, body)

    async def ask(
        self, path: str, body: bytes | None = None, authorization: str | None = None
    ) -> tuple[int, bytes]:
        """Send a request as `send` does; return status and body of its answer."""
        async with self.send(path, body, authorization) as answer:
            return answer.status, await answer.read()

    async def open(
        self, request: web.Request, sent: OutgoingRequest
    ) -> aiohttp.ClientResponse:
        """Forward a request, and return the answer once its headers are received.

        Raises:
            UpstreamUnreachable: The upstream does not answer.
            RequestRefused: The client's body could not be read.
        """
        body = sent.body
        headers = request_headers(without_tokens(request).items())
        if sent.decoded:
            headers.popall(hdrs.CONTENT_ENCODING, None)
        data: bytes | AsyncIterator[bytes] | None
        if isinstance(body, bytes):
            # Slices would be sent in chunks otherwise, as the length of an iterator is unknown.
            headers[hdrs.CONTENT_LENGTH] = str(len(body))
            data = body if len(body) <= _WHOLE_BYTES_MAX else _slices(body)
        elif body is not None:
            # aiohttp writes an iterator's chunks in a separate task.
            data = aiter(body) if (here := body.at_hand()) is None else here
        else:
            data = None
        try:
            return await self._send(request.method, sent.path, headers, data)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # The request failed because of the client, and not of the upstream.
            if isinstance(body, IncomingBody) and body.refusal:
                raise body.refusal from None
            raise self._unreachable(error) from None

    def _send(
        self,
        method: str,
        path: str,
        headers: CIMultiDict[str],
        data: bytes | AsyncIterator[bytes] | None,
    ) -> aiohttp.client._RequestContextManager:
        assert self._session is not None
        # A reverse proxy's credential from the URL wins over the client's own.
        if self._authorization:
            headers[hdrs.AUTHORIZATION] = self._authorization
        return self._session.request(
            method,
            # `encoded`: the path is forwarded as the client wrote it.
            URL(self.url + path, encoded=True),
            headers=headers,
            data=data,
            timeout=self._timeout,
            # A redirect could lead the prompt to a host that nobody has configured.
            allow_redirects=False,
        )

    def _unreachable(self, error: BaseException) -> UpstreamUnreachable:
        log.warning("upstream_failed", url=self.url, error=type(error).__name__)
        # Before its parent class below. The request was sent, so it is not repeated.
        if isinstance(error, aiohttp.SocketTimeoutError):
            return UpstreamUnreachable(
                504,
                f"Ollama at {self.url} was silent for {self._timeout.sock_read:g} "
                "seconds, which is all that shim.answer_seconds_max permits",
                connected=True,
            )
        if isinstance(error, aiohttp.ServerTimeoutError):
            return UpstreamUnreachable(
                504,
                f"Ollama at {self.url} did not take the connection within "
                f"{self._timeout.sock_connect:g} seconds. See whether it is "
                "overloaded, or set shim.upstream (FESTINGER_UPSTREAM) to where it "
                "listens",
                connected=False,
            )
        if isinstance(error, aiohttp.ClientConnectorError):
            return UpstreamUnreachable(
                502,
                f"cannot reach Ollama at {self.url}. Start it with `ollama serve`, or "
                "set shim.upstream (FESTINGER_UPSTREAM) to where it listens",
                connected=False,
            )
        return UpstreamUnreachable(
            502,
            f"Ollama at {self.url} broke off before it answered. Its log says why; "
            "then send the request again",
            connected=True,
        )


@asynccontextmanager
async def answered(
    upstream: Upstream, path: str, body: bytes, failure: type[Exception]
) -> AsyncIterator[aiohttp.ClientResponse]:
    """Send a POST request of the shim's own, and yield its answer if it succeeds.

    The connection is closed at the end, so that an upstream stops what it works on.

    Args:
        failure: Raised if the upstream fails, refuses or breaks the answer off.
    """
    try:
        response = await upstream.send(path, body)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise failure(f"the upstream fails: {type(error).__name__}") from None
    try:
        if response.status != 200:
            raise failure(f"the upstream answers {response.status}")
        yield response
    except (aiohttp.ClientError, OSError) as error:
        raise failure(f"the upstream broke off: {type(error).__name__}") from None
    finally:
        # Closed, not returned to the pool: the rest of the answer is not read.
        response.close()


async def _slices(body: bytes) -> AsyncIterator[bytes]:
    # aiohttp warns of large bodies in one piece, since they block the event loop.
    for start in range(0, len(body), _SLICE):
        yield body[start : start + _SLICE]


def _open_socket(address: tuple[int, int, int, str, tuple[Any, ...]]) -> socket.socket:
    """Return a socket whose connection ends if the upstream vanishes."""
    family, kind, protocol, _, _ = address
    opened = socket.socket(family, kind, protocol)
    # Without probes a read waits for ever if the other machine loses power.
    keep_alive(opened)
    return opened
