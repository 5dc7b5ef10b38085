"""Listening socket: aiohttp's server with a deadline for headers."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import ssl
import traceback
from http import HTTPStatus
from typing import Any, Final

import structlog
from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from festinger.config import host_and_port
from festinger.errors import AddressInUse, ConfigurationError
from festinger.shim.proxy.guard import HEADER_BYTES_MAX
from festinger.shim.proxy.hangup import DisconnectWatcher
from festinger.shim.proxy.wording import error_body, error_response
from festinger.shim.system.identity import split_path

log = structlog.get_logger(__name__)

# aiohttp's defaults are those of an application: it would keep idle connections for an
# hour, decompress bodies and limit a line of headers to 8 KB.
_OPTIONS: Final[dict[str, Any]] = {
    # Clients' own timeouts of idle connections are mostly shorter.
    "keepalive_timeout": 75.0,
    # A refused body is still read, so that the answer arrives.
    "lingering_time": 2.0,
    "auto_decompress": False,
    "access_log": None,
    "max_line_size": HEADER_BYTES_MAX // 2,
    "max_field_size": HEADER_BYTES_MAX // 2,
    "max_headers": 200,
}

_HEAD_BYTES_MAX: Final = 256
"""Number of first bytes of the headers that are kept, for the path in errors."""

_REQUEST_LINE: Final = re.compile(rb"[A-Z]+ ([^\s?]+)")

_MESSAGES: Final = {
    400: "this cannot be read as HTTP/1.1",
    408: "the headers did not come in time",
    431: f"the headers are too large: a line may have {HEADER_BYTES_MAX // 2} bytes, all "
    f"of them {HEADER_BYTES_MAX}",
    500: "the shim failed; its log says why",
}


class Connection(web.RequestHandler):
    """A client's connection, closed if headers arrive slowly or are too large.

    When the client disconnects, its request is cancelled at once.
    """

    __slots__ = (
        "_hang_up",
        "_head",
        "_header_bytes",
        "_header_deadline",
        "_header_seconds_max",
    )

    def __init__(
        self,
        server: web.Server,
        *,
        loop: asyncio.AbstractEventLoop,
        header_seconds_max: float,
    ) -> None:
        super().__init__(server, loop=loop, **_OPTIONS)
        self._header_seconds_max = header_seconds_max
        self._header_deadline: asyncio.TimerHandle | None = None
        self._header_bytes = 0
        # First bytes of a request, for the path if it cannot be parsed.
        self._head = b""
        self._hang_up: DisconnectWatcher | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the header deadline of the first request."""
        super().connection_made(transport)
        # A connection without a request, or with an endless one, is closed.
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        """Process received data, and enforce the deadline and size of headers.

        The deadline starts at a request's first byte and ends after its headers.
        """
        # aiohttp's counter grows when the headers of a request are complete.
        requests = self._request_count
        # The handler waits for a request: these bytes begin or continue its headers.
        if self._waiter is not None:
            if self._header_deadline is None:
                self._head = b""
            self._head += data[: _HEAD_BYTES_MAX - len(self._head)]
        super().data_received(data)
        if self._request_count > requests:
            self._headers_came()
        elif self._header_deadline is None and self._waiter is not None:
            self._expect_headers()
        if self._header_deadline is not None:
            # aiohttp limits the size of a line, but not the number of lines while they arrive.
            self._header_bytes += len(data)
            if self._header_bytes > HEADER_BYTES_MAX:
                self._refuse_headers(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def pause_reading(self) -> None:
        """Pause reading an upload, and watch for the client's disconnect meanwhile."""
        super().pause_reading()
        if self.transport is None:
            return
        if self._hang_up is None:
            self._hang_up = DisconnectWatcher(self.transport, self._abort)
        self._hang_up.watch()

    def resume_reading(self, resume_parser: bool = True) -> None:
        """Resume reading, and pause the watch for a disconnect."""
        super().resume_reading(resume_parser)
        # Parsing buffered data may have paused reading again.
        if self._hang_up and self.transport and self.transport.is_reading():
            self._hang_up.rest()

    def eof_received(self) -> None:
        """Abort the connection of a client that disconnects during a request."""
        # aiohttp would go on, as a client may close its sending side only; here the model would
        # work for nobody.
        if self._current_request is not None:
            self._abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Cancel the header deadline and close the watch for a disconnect."""
        self._headers_came()
        if self._hang_up:
            self._hang_up.close()
            self._hang_up = None
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the response for an unreadable request or a failed handler.

        Raises:
            ConnectionError: The client has disconnected, or the answer has begun.
        """
        # aiohttp answers 400.
        if isinstance(exc, LineTooLong):
            status = 431
        # The message may quote headers or the prompt, so only the error's type is
        # logged.
        kind = type(exc).__name__
        # The usual end of a chat that somebody stops: no error for the log.
        is_closing = self.transport is None or self.transport.is_closing()
        if isinstance(exc, ConnectionError) and is_closing:
            log.debug("client_left", error=kind)
            raise ConnectionError("nobody is there to be answered")
        if status < 500:
            log.info("request_unreadable", status=status, error=kind)
        else:
            log.error("request_failed", status=status, error=kind, at=_place(exc))
        # A second status line would become a part of the answer.
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun")
        words = _MESSAGES.get(status, _MESSAGES[500])
        # An unreadable request has no path: take it from the kept headers.
        path = split_path(request.path).path if status >= 500 else self._path()
        response = error_response(path, status, words)
        # What follows on the connection cannot be told apart from the broken request.
        response.force_close()
        return response

    def _path(self) -> str:
        """Return the path in the request line; empty if it cannot be read."""
        asked = _REQUEST_LINE.match(self._head)
        return split_path(asked[1].decode("latin-1")).path if asked else ""

    def _refuse_headers(self, status: HTTPStatus) -> None:
        """Answer a request whose headers are too slow or too large, and disconnect."""
        # Written by hand, since aiohttp has no request to answer yet.
        body = json.dumps(error_body(self._path(), status, _MESSAGES[status]))
        head = (
            f"HTTP/1.1 {status} {status.phrase}\r\nContent-Type: application/json\r\n"
            f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        # A client that has sent nothing yet gets no answer.
        if self.transport is not None and self._header_bytes:
            self.transport.write((head + body).encode())
        self.force_close()

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()

    def _expect_headers(self) -> None:
        self._header_bytes = 0
        self._header_deadline = self._loop.call_later(
            self._header_seconds_max,
            self._refuse_headers,
            HTTPStatus.REQUEST_TIMEOUT,
        )

    def _headers_came(self) -> None:
        if self._header_deadline is not None:
            self._header_deadline.cancel()
            self._header_deadline = None


def _place(error: BaseException | None) -> str:
    """Return the file and line that an error was raised at."""
    frames = traceback.extract_tb(error.__traceback__ if error else None)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


async def listen(
    server: web.Server,
    address: str,
    header_seconds_max: float,
    encryption: ssl.SSLContext | None = None,
) -> asyncio.Server:
    """Start to listen, and return the listening server.

    Raises:
        AddressInUse: Another process listens on the address.
        ConfigurationError: The address cannot be listened on.
    """
    loop = asyncio.get_running_loop()
    host, port = host_and_port(address)
    try:
        return await loop.create_server(
            lambda: Connection(
                server, loop=loop, header_seconds_max=header_seconds_max
            ),
            host,
            port,
            backlog=1024,
            ssl=encryption,
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AddressInUse(
                f"somebody listens on {address} already. Stop it, or set "
                "shim.address (FESTINGER_SHIM) to a free one"
            ) from None
        raise ConfigurationError(
            f"cannot listen on {address}: {error.strerror}. Set shim.address "
            "(FESTINGER_SHIM) to an address of this machine"
        ) from None
