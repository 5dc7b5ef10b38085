"""The request to forward (`OutgoingRequest`), and the relay of its answer in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

import aiohttp
import structlog
from aiohttp import hdrs, web
from aiohttp.abc import AbstractStreamWriter

from festinger.shim.proxy.endings import Lines, watch
from festinger.shim.proxy.guard import IncomingBody
from festinger.shim.proxy.headers import response_headers

log = structlog.get_logger(__name__)

TAIL_BYTES: Final = 4_096
"""Number of last bytes of an answer that are kept."""

_BROKEN: Final = "the connection to Ollama broke before the answer was complete"


@dataclass(frozen=True, slots=True)
class OutgoingRequest:
    """A request to forward.

    Attributes:
        decoded: Whether `body` is no longer in the client's encoding.
        session: Its name, for affinity to the upstream that has its prefix cached.
        listener: Takes each chunk of the answer; returns why to end it there, if it should.
    """

    path: str
    body: bytes | IncomingBody | None
    added: Mapping[str, str] = field(default_factory=dict)
    decoded: bool = False
    session: str | None = None
    listener: Callable[[bytes], str | None] | None = None
    keeps_tail: bool = False


class ForwardedResponse(web.StreamResponse):
    """A response with the upstream's headers, without those that aiohttp adds.

    The headers are sent with the first bytes of the body, or earlier by
    `UpstreamAnswer` if no bytes have arrived yet.
    """

    _send_headers_immediately = False

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Prepare the response, and note which headers the upstream set itself."""
        # Noted before aiohttp adds its own in `prepare`.
        self._typed = hdrs.CONTENT_TYPE in self.headers
        self._signed = hdrs.SERVER in self.headers
        return await super().prepare(request)

    def drop_additions(self) -> None:
        """Remove the `Content-Type` and `Server` headers that aiohttp added."""
        if not self._typed:
            self.headers.popall(hdrs.CONTENT_TYPE, None)
        if not self._signed:
            self.headers.popall(hdrs.SERVER, None)


async def drop_additions(_: web.Request, response: web.StreamResponse) -> None:
    """Remove aiohttp's headers from a `ForwardedResponse`: hook for `on_response_prepare`."""
    if isinstance(response, ForwardedResponse):
        response.drop_additions()


class UpstreamAnswer:
    """Relay of one answer of an upstream to the client.

    Attributes:
        tail: Last bytes of an answer that was relayed completely; None otherwise, or if
            the answer is no success or encoded.
    """

    def __init__(
        self,
        request: web.Request,
        sent: OutgoingRequest,
        answer: aiohttp.ClientResponse,
    ) -> None:
        self._tail = b""
        self.tail: bytes | None = None
        self._request = request
        self._path = sent.path.partition("?")[0]
        self._answer = answer
        self._out = ForwardedResponse(
            status=answer.status,
            reason=answer.reason,
            headers=response_headers(answer.headers.items(), sent.added),
        )
        encoded = hdrs.CONTENT_ENCODING in answer.headers
        # Compressed bytes and errors have no end marker or durations that can be found.
        readable = not encoded and answer.status == HTTPStatus.OK
        self._keeps_tail = sent.keeps_tail and readable
        is_stream = readable and request.method != "HEAD"
        self._watch = watch(self._path, answer.content_type) if is_stream else None
        self._listener = sent.listener if self._watch else None

    @property
    def accepted(self) -> bool:
        """True if the model received the request; an error may be a gateway's."""
        return self._answer.status < HTTPStatus.BAD_REQUEST

    async def relay(self) -> web.StreamResponse:
        """Forward every chunk as it arrives, and return the response."""
        writer = await self._out.prepare(self._request)
        content = self._answer.content
        # Headers are sent separately only if no bytes of the body have arrived: each
        # separate write costs the client a read.
        if writer and not content.total_bytes:
            writer.send_headers()
        while True:
            try:
                chunk = await content.readany()
            except (aiohttp.ClientError, OSError) as error:
                log.warning(
                    "upstream_broke_off", path=self._path, error=type(error).__name__
                )
                # The client then sees a broken answer, and not a broken connection without one.
                if writer:
                    writer.send_headers()
                return await self._break_off()
            if not chunk:
                break
            # Before it is written: an incomplete stream must not be ended as if it were whole.
            if self._watch:
                self._watch.see(chunk)
            if self._keeps_tail:
                self._tail = (self._tail + chunk[-TAIL_BYTES:])[-TAIL_BYTES:]
            # The last chunk and the end in one write, which saves the client a read.
            if content.at_eof() and (not self._watch or self._watch.complete):
                await self._out.write_eof(chunk)
                self._finish()
                return self._out
            # Waits while the client reads more slowly than the upstream sends.
            await self._out.write(chunk)
            if self._listener and (why := self._listener(chunk)):
                return await self._cut(why)
        # Ollama drops errors on /v1 after the first byte, so the end marker is missing.
        if self._watch and not self._watch.complete:
            log.warning("upstream_stream_unfinished", path=self._path)
            # With a length the client sees by itself that bytes are missing.
            if self._out.content_length is None:
                return await self._break_off()
        await self._out.write_eof()
        self._finish()
        return self._out

    def _finish(self) -> None:
        """Publish the last bytes of a successful, unencoded answer."""
        if self._keeps_tail:
            self.tail = self._tail

    async def _cut(self, why: str) -> web.StreamResponse:
        """End the stream with an error in its own protocol."""
        error = self._watch.error(why) if self._watch else b""
        # Within a record, or where no further bytes may follow.
        if not error or self._out.content_length is not None:
            return await self._break_off()
        await self._out.write(error)
        if isinstance(self._watch, Lines):
            # An error's line is how Ollama itself ends a stream that fails.
            await self._out.write_eof()
        # Server-sent events end with the connection, and without the protocol's end marker.
        elif self._request.transport:
            self._request.transport.close()  # buffered data is still sent
        return self._out

    async def _break_off(self) -> web.StreamResponse:
        """Close the client's connection so that the answer does not look complete."""
        transport = self._request.transport
        if transport is None:
            return self._out
        sized = self._out.content_length is not None
        # HTTP/1.0 has no chunks: there the connection's end is the answer's end.
        chunked = not sized and self._request.version >= (1, 1)
        if chunked and self._watch and (error := self._watch.error(_BROKEN)):
            await self._out.write(error)
        if chunked or sized:
            transport.close()  # buffered data is still sent
        # A reset is the only way to show a HTTP/1.0 client that the answer is incomplete.
        elif isinstance(transport, asyncio.WriteTransport):
            transport.abort()
        return self._out
