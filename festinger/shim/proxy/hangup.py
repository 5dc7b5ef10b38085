"""Detection of a client's disconnect while reading is paused.

The end of a connection comes after the bytes that were sent before it, which asyncio
does not read while an upload is paused.
"""

from __future__ import annotations

import asyncio
import select
import sys
from collections.abc import Callable


class DisconnectWatcher:
    """Watcher that notices a peer's disconnect without reading from the connection."""

    def __init__(self, transport: asyncio.Transport, tell: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._socket: int = transport.get_extra_info("socket").fileno()
        self._tell = tell
        self._watching = False
        # Elsewhere the disconnect is noticed when reading resumes.
        if sys.platform == "linux":
            self._poll = select.epoll()

    def watch(self) -> None:
        """Start watching."""
        if sys.platform == "linux" and not self._watching:
            self._watching = True
            # EPOLLRDHUP is reported although unread bytes are waiting.
            self._poll.register(self._socket, select.EPOLLRDHUP)
            # A nested epoll, since the event loop has no such event.
            self._loop.add_reader(self._poll.fileno(), self._noticed)

    def rest(self) -> None:
        """Pause watching."""
        if sys.platform == "linux" and self._watching:
            self._watching = False
            self._loop.remove_reader(self._poll.fileno())
            self._poll.unregister(self._socket)

    def close(self) -> None:
        """Stop watching for good; call it before the connection's socket is closed."""
        self.rest()
        if sys.platform == "linux":
            self._poll.close()

    def _noticed(self) -> None:
        # Once is enough, and the event would be reported again and again.
        self.rest()
        self._tell()
