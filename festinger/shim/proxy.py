"""The way to Ollama and back: bytes as they come, in both directions."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Final, Protocol

import aiohttp
import structlog
from aiohttp import hdrs, web
from aiohttp.abc import AbstractStreamWriter
from multidict import CIMultiDict
from yarl import URL

from festinger.shim.guard import Refused, Upload

log = structlog.get_logger(__name__)

CONNECT_SECONDS_MAX: Final = 10.0
"""How long a connection to the upstream may take. Its answer may take for ever."""

_SLICE = 256 * 2**10
_WHOLE_BYTES_MAX = 2**20

_HOP_BY_HOP: Final = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)

_OURS: Final = "x-festinger"

# How a stream says that it is complete. Ollama's own errors end one as well.
_ENDINGS: Final = {
    "application/x-ndjson": re.compile(rb'"done":\s*true|"error":'),
    "text/event-stream": re.compile(rb"data:\s*\[DONE\]"),
}
_ENDING_BYTES_MAX = 64

_BROKEN_LINE: Final = (
    b'{"error":"the connection to Ollama broke before the answer was complete"}\n'
)


class Listener(Protocol):
    """Whoever reads along with a stream."""

    def feed(self, chunk: bytes) -> bytes | None:
        """Reads a chunk. Returns what ends the stream here, if it has to end."""


class Upstream:
    """The Ollama behind the shim.

    Args:
        url: From the configuration; it may carry credentials for a proxy before it.
    """

    def __init__(self, url: str) -> None:
        parsed = URL(url)
        self.url = str(parsed.with_user(None)).rstrip("/")
        self._authorization: str | None = None
        if parsed.user:
            pair = f"{parsed.user}:{parsed.password or ''}".encode()
            self._authorization = f"Basic {b64encode(pair).decode()}"
        self._session: aiohttp.ClientSession | None = None

    async def start(self) -> None:
        """Opens the connection pool."""
        self._session = aiohttp.ClientSession(
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=CONNECT_SECONDS_MAX, sock_read=None
            ),
            # The upstream gets the client's headers and no others.
            skip_auto_headers=(
                hdrs.ACCEPT,
                hdrs.ACCEPT_ENCODING,
                hdrs.CONTENT_TYPE,
                hdrs.USER_AGENT,
            ),
            max_line_size=2**16,
            max_field_size=2**16,
        )

    async def stop(self) -> None:
        """Closes the connection pool."""
        if self._session:
            await self._session.close()

    async def show(self, body: bytes, authorization: str | None) -> tuple[int, bytes]:
        """Asks about a model: `POST /api/show`."""
        headers = CIMultiDict({hdrs.CONTENT_TYPE: "application/json"})
        if authorization:
            headers[hdrs.AUTHORIZATION] = authorization
        async with self._send("POST", "/api/show", headers, body) as answer:
            return answer.status, await answer.read()

    async def version(self) -> tuple[int, bytes]:
        """Asks for the version: `GET /api/version`."""
        async with self._send("GET", "/api/version", CIMultiDict(), None) as answer:
            return answer.status, await answer.read()

    async def forward(
        self,
        request: web.Request,
        path: str,
        body: bytes | Upload | None,
        added: Mapping[str, str],
        listener: Listener | None = None,
    ) -> web.StreamResponse:
        """Sends a request on and streams the answer back.

        Args:
            request: From the client.
            path: With the query, as the upstream knows it.
            body: What to send as its body.
            added: Headers that the answer gets.
            listener: Told of a stream's chunks once they are written; it may end it.

        Raises:
            Refused: The upstream cannot be reached, or the client's body could not be
                read.
        """
        headers = _request_headers(request)
        data: bytes | AsyncIterator[bytes] | None
        if isinstance(body, bytes):
            headers[hdrs.CONTENT_LENGTH] = str(len(body))
            data = body if len(body) <= _WHOLE_BYTES_MAX else _slices(body)
        else:
            data = aiter(body) if body is not None else None
        try:
            answer = await self._send(request.method, path, headers, data)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            if isinstance(body, Upload) and body.refusal:
                raise body.refusal from None
            raise self._unreachable(error) from None
        try:
            return await _Answer(request, answer, added, listener).stream()
        finally:
            # Unless it was read to its end, this closes the connection, so that the
            # upstream stops working for nobody.
            answer.close()

    def _send(
        self,
        method: str,
        path: str,
        headers: CIMultiDict[str],
        data: bytes | AsyncIterator[bytes] | None,
    ) -> aiohttp.client._RequestContextManager:
        assert self._session is not None
        if self._authorization:
            headers[hdrs.AUTHORIZATION] = self._authorization
        return self._session.request(
            method,
            URL(self.url + path, encoded=True),
            headers=headers,
            data=data,
            allow_redirects=False,
        )

    def _unreachable(self, error: BaseException) -> Refused:
        log.warning("upstream_failed", url=self.url, error=type(error).__name__)
        if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ServerTimeoutError):
            return Refused(
                502,
                f"cannot reach Ollama at {self.url}. Start it with `ollama serve`, or "
                "set shim.upstream (FESTINGER_UPSTREAM) to where it listens",
            )
        return Refused(
            502,
            f"Ollama at {self.url} broke off before it answered. Its log says why; "
            "then send the request again",
        )


class Forwarded(web.StreamResponse):
    """An answer of the upstream's, with the upstream's headers and no others."""

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Sends the headers."""
        self._typed = hdrs.CONTENT_TYPE in self.headers
        self._signed = hdrs.SERVER in self.headers
        return await super().prepare(request)

    def drop_additions(self) -> None:
        """Takes out what aiohttp adds of its own."""
        if not self._typed:
            self.headers.popall(hdrs.CONTENT_TYPE, None)
        if not self._signed:
            self.headers.popall(hdrs.SERVER, None)


async def drop_additions(_: web.Request, response: web.StreamResponse) -> None:
    """A hook for `on_response_prepare`; see `Forwarded`."""
    if isinstance(response, Forwarded):
        response.drop_additions()


class _Answer:
    """An upstream's answer on its way to the client."""

    def __init__(
        self,
        request: web.Request,
        answer: aiohttp.ClientResponse,
        added: Mapping[str, str],
        listener: Listener | None,
    ) -> None:
        self._request = request
        self._answer = answer
        self._out = Forwarded(
            status=answer.status,
            reason=answer.reason,
            headers=_response_headers(answer, added),
        )
        self._ending = _ENDINGS.get(answer.content_type)
        if hdrs.CONTENT_ENCODING in answer.headers or answer.status != 200:
            self._ending = None
        self._listener = listener if self._ending else None
        self._tail = b""
        self._finished = False

    async def stream(self) -> web.StreamResponse:
        """Passes every chunk on as it comes."""
        await self._out.prepare(self._request)
        content = self._answer.content
        while True:
            try:
                chunk = await content.readany()
            except (aiohttp.ClientError, OSError) as error:
                log.warning("upstream_broke_off", error=type(error).__name__)
                return await self._break_off()
            if not chunk:
                break
            self._watch(chunk)
            await self._out.write(chunk)
            if self._listener and (last := self._listener.feed(chunk)):
                return await self._cut(last)
        if self._ending and not self._finished:
            log.warning("upstream_stream_unfinished")
            if not self._framed:
                # The end of the connection was the only sign of the end, and it
                # came too early.
                return await self._break_off()
        await self._out.write_eof()
        return self._out

    def _watch(self, chunk: bytes) -> None:
        if self._ending is None:
            return
        seen = self._tail + chunk
        self._finished = self._finished or self._ending.search(seen) is not None
        self._tail = seen[-_ENDING_BYTES_MAX:]

    async def _cut(self, last: bytes) -> web.StreamResponse:
        """Ends the stream with an error that was made up for it."""
        if self._out.content_length is not None:
            return await self._break_off()
        await self._out.write(last)
        if self._out.content_type in _NDJSON:
            # An error's line is how Ollama itself ends a stream that fails.
            await self._out.write_eof()
        elif self._request.transport:
            self._request.transport.close()  # what was written still arrives
        return self._out

    @property
    def _framed(self) -> bool:
        """Whether the upstream says by other means than closing where it ends."""
        headers = self._answer.headers
        return (
            hdrs.CONTENT_LENGTH in headers
            or headers.get(hdrs.TRANSFER_ENCODING, "").lower() == "chunked"
            or self._request.method == "HEAD"
            or self._answer.status in {204, 304}
        )

    async def _break_off(self) -> web.StreamResponse:
        """Ends the client's connection so that nothing looks complete."""
        transport = self._request.transport
        if transport is None:
            return self._out
        chunked = self._out.content_length is None and self._request.version >= (1, 1)
        at_line_end = not self._tail or self._tail.endswith(b"\n")
        if chunked and at_line_end and self._out.content_type in _NDJSON:
            await self._out.write(_BROKEN_LINE)
        if chunked or self._out.content_length is not None:
            transport.close()  # what was written still arrives
        elif isinstance(transport, asyncio.WriteTransport):
            transport.abort()
        return self._out


_NDJSON = frozenset({"application/x-ndjson"})


def _request_headers(request: web.BaseRequest) -> CIMultiDict[str]:
    headers = _end_to_end(request.headers.items())
    # aiohttp sends the upstream's own Host; it answers 403 to another.
    ours = {name for name in headers if name.lower().startswith(_OURS)}
    for name in {hdrs.HOST, hdrs.EXPECT, *ours}:
        headers.popall(name, None)
    return headers


def _response_headers(
    answer: aiohttp.ClientResponse, added: Mapping[str, str]
) -> CIMultiDict[str]:
    headers = _end_to_end(answer.headers.items())
    headers.update(added)
    return headers


def _end_to_end(items: Iterable[tuple[str, str]]) -> CIMultiDict[str]:
    """The headers that are not meant for one connection only."""
    headers = CIMultiDict(items)
    dropped = set(_HOP_BY_HOP)
    for value in headers.getall(hdrs.CONNECTION, ()):
        dropped.update(name.strip().lower() for name in value.split(","))
    for name in dropped:
        headers.popall(name, None)
    return headers


async def _slices(body: bytes) -> AsyncIterator[bytes]:
    # aiohttp warns of large bodies in one piece, and rightly.
    for start in range(0, len(body), _SLICE):
        yield body[start : start + _SLICE]
