"""The listening side: aiohttp's server with a deadline for headers."""

from __future__ import annotations

import asyncio
import errno
from typing import Any, Final

from aiohttp import web

from festinger.config import host_and_port
from festinger.errors import AddressInUse, ConfigurationError

KEEPALIVE_SECONDS: Final = 75.0
"""How long an idle connection is kept; clients' own limits are mostly lower."""

LINGERING_SECONDS: Final = 2.0
"""How long a refused body is still taken in, so that the answer gets through."""

_OPTIONS: Final[dict[str, Any]] = {
    "keepalive_timeout": KEEPALIVE_SECONDS,
    "lingering_time": LINGERING_SECONDS,
    "auto_decompress": False,
    "access_log": None,
    "max_line_size": 2**16,
    "max_field_size": 2**16,
}


class Connection(web.RequestHandler):
    """A client's connection, closed if headers are slow to come.

    Args:
        server: aiohttp's own.
        header_seconds_max: How long the headers of one request may take.
    """

    __slots__ = ("_header_deadline", "_header_seconds_max")

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

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Starts the deadline of the first request."""
        super().connection_made(transport)
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        """Starts the deadline of a request at its first byte, ends it at its last."""
        requests = self._request_count
        super().data_received(data)
        if self._request_count > requests:
            self._headers_came()
        elif self._header_deadline is None and self._waiter is not None:
            self._expect_headers()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Ends the deadline."""
        self._headers_came()
        super().connection_lost(exc)

    def _expect_headers(self) -> None:
        self._header_deadline = self._loop.call_later(
            self._header_seconds_max, self.force_close
        )

    def _headers_came(self) -> None:
        if self._header_deadline is not None:
            self._header_deadline.cancel()
            self._header_deadline = None


async def listen(
    server: web.Server, address: str, header_seconds_max: float
) -> asyncio.Server:
    """Starts to listen.

    Raises:
        AddressInUse: Somebody listens there already.
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
