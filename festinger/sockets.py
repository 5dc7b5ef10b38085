"""Options of TCP connections to servers that may be silent for long."""

from __future__ import annotations

import socket
from typing import Final

_OPTIONS: Final = {
    "TCP_KEEPIDLE": 2,
    "TCP_KEEPINTVL": 1,
    "TCP_KEEPCNT": 2,
    "TCP_USER_TIMEOUT": 4000,
}
"""When the kernel probes an idle connection, how often, and when it gives up, in seconds;
the last is the time in milliseconds for which sent data may stay unacknowledged."""


def keep_alive(connection: socket.socket) -> None:
    """Have the kernel end a connection within 4 s after its other end vanished."""
    # A peer that is reachable may be silent for long: only the connection is probed.
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return  # a UNIX socket has no network
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _OPTIONS.items():
        # Their names differ between systems; without them the system's own values hold.
        if option := getattr(socket, name, None):
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
