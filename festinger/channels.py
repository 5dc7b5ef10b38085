"""Channels to the memory server, and the connection options of both of their ends."""

from __future__ import annotations

from typing import Final

import grpc
import grpc.aio

from festinger.certificates import CertificateFiles
from festinger.config import TlsSettings

PING_MILLISECONDS: Final = 2000
"""Interval of the pings on a connection, and the time in which one must be answered. An
end that vanished without closing its connection is noticed after twice that."""

UNREAD_CALLS_MAX: Final = 20_000
"""Calls that may wait to be read by a server. It bounds its memory: further ones are
cancelled."""

_PINGS: Final = (
    ("grpc.keepalive_time_ms", PING_MILLISECONDS),
    ("grpc.keepalive_timeout_ms", PING_MILLISECONDS),
    # The other one holds only where nothing else was sent meanwhile; this one is a minute.
    ("grpc.http2.ping_timeout_ms", PING_MILLISECONDS),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
)

SERVER_OPTIONS: Final = (
    *_PINGS,
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

CLIENT_OPTIONS: Final = (
    *_PINGS,
    # Reconnect within a second of the server's return, and never use a proxy.
    ("grpc.initial_reconnect_backoff_ms", 100),
    # The timeout of an attempt: on a busy machine, longer than a prompt waits.
    ("grpc.min_reconnect_backoff_ms", 2000),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),
    # An idle channel would have to reconnect within the next call's timeout.
    ("grpc.client_idle_timeout_ms", 2**31 - 1),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
)
"""Options of a channel to a memory server."""


REOPEN_SECONDS: Final = 5.0
"""Time in seconds that calls have to end on a channel that is replaced."""

PLAIN: Final = TlsSettings()
"""No encryption."""


def open_channel(address: str, tls: TlsSettings = PLAIN) -> grpc.aio.Channel:
    """Return a channel to the memory server at HOST:PORT; it connects by itself.

    Raises:
        ConfigurationError: A certificate's file cannot be read.
    """
    if not tls.is_set:
        return grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS)
    credentials = CertificateFiles(tls, "server.tls").channel_credentials()
    return grpc.aio.secure_channel(address, credentials, options=CLIENT_OPTIONS)


def open_blocking_channel(address: str, tls: TlsSettings = PLAIN) -> grpc.Channel:
    """Return a channel for programs without an event loop, such as a command.

    Raises:
        ConfigurationError: A certificate's file cannot be read.
    """
    if not tls.is_set:
        return grpc.insecure_channel(address, options=CLIENT_OPTIONS)
    credentials = CertificateFiles(tls, "server.tls").channel_credentials()
    return grpc.secure_channel(address, credentials, options=CLIENT_OPTIONS)
