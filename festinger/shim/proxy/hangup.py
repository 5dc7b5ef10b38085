"""Notices that a client hung up while nothing is read from it.

The end of a connection stands behind the bytes that came before it. While an upload is
held up, because the upstream takes it slowly, asyncio reads none of them and does not
learn that nobody waits any more.
"""

from __future__ import annotations

import asyncio
import select
import sys
from collections.abc import Callable


class HangUp:
    """Watches for the other end of a connection to close, without reading from it.

    Where the system has no epoll nothing is noticed before the connection is read again.

    Args:
        transport: The connection.
        tell: Called once it was closed.
    """

    def __init__(self, transport: asyncio.Transport, tell: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._socket: int = transport.get_extra_info("socket").fileno()
        self._tell = tell
        self._watching = False
        if sys.platform == "linux":
            self._poll = select.epoll()

    def watch(self) -> None:
        """Begins to watch."""
        if sys.platform == "linux" and not self._watching:
            self._watching = True
            self._poll.register(self._socket, select.EPOLLRDHUP)
            # One poll within another: the loop's own knows no such event.
            self._loop.add_reader(self._poll.fileno(), self._noticed)

    def rest(self) -> None:
        """Watches no more, for now."""
        if sys.platform == "linux" and self._watching:
            self._watching = False
            self._loop.remove_reader(self._poll.fileno())
            self._poll.unregister(self._socket)

    def close(self) -> None:
        """Watches no more; before the connection's socket is closed."""
        self.rest()
        if sys.platform == "linux":
            self._poll.close()

    def _noticed(self) -> None:
        self.rest()
        self._tell()
