"""Channels to the memory server, and the connection options of both of their ends."""

from __future__ import annotations

from typing import Final

import grpc
import grpc.aio

from festinger.certificates import CertificateFiles
from festinger.client.channel import CLIENT_OPTIONS, PING_MILLISECONDS, PINGS
from festinger.config import TlsSettings
from festinger.errors import ConfigurationError

UNREAD_CALLS_MAX: Final = 20_000
"""Calls that may wait to be read by a server. It bounds its memory: further ones are
cancelled."""

SERVER_OPTIONS: Final = (
    *PINGS,
    # Without these, a server ends a connection whose client pings this often.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", PING_MILLISECONDS // 2),
    ("grpc.http2.max_ping_strikes", 0),
    # Two servers on one port would each answer half of the calls.
    ("grpc.so_reuseport", 0),
    # By default, gRPC cancels calls at random from a thousand unread ones on, without
    # a reason or a delay. These are read, and then served or refused.
    ("grpc.server.max_pending_requests", UNREAD_CALLS_MAX),
    ("grpc.server.max_pending_requests_hard_limit", UNREAD_CALLS_MAX),
)
"""Options of a memory server."""

REOPEN_SECONDS: Final = 5.0
"""Time in seconds that calls have to end on a channel that is replaced."""

PLAIN: Final = TlsSettings()
"""No encryption."""


def open_channel(address: str, tls: TlsSettings = PLAIN) -> grpc.aio.Channel:
    """Return a channel to HOST:PORT; it connects by itself. Raises `ConfigurationError`."""
    if not tls.is_set:
        return grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS)
    credentials = CertificateFiles(tls, "server.tls").channel_credentials()
    return grpc.aio.secure_channel(address, credentials, options=CLIENT_OPTIONS)


class RenewedChannel:
    """Channel to a server that is opened anew when certificates were replaced.

    Raises:
        ConfigurationError: A certificate's file cannot be read.
    """

    def __init__(self, address: str, tls: TlsSettings = PLAIN) -> None:
        self._address = address
        self._tls = tls
        self._certificates = CertificateFiles(tls, "server.tls")
        self._version = self._certificates.version()
        self._channel = open_channel(address, tls)

    async def current(self) -> grpc.aio.Channel:
        """Return the channel, with the certificates as they are now."""
        # Looked at first: a file that is replaced meanwhile is seen at the next call.
        version = self._certificates.version()
        if version == self._version:
            return self._channel
        try:
            opened = open_channel(self._address, self._tls)
        except ConfigurationError:
            return self._channel  # half replaced; the former connection still serves
        former, self._channel, self._version = self._channel, opened, version
        # Calls that are under way get some time to end.
        await former.close(REOPEN_SECONDS)
        return self._channel

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()
