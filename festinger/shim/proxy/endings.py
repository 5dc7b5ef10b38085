"""Detection of complete streams by the end marker of each protocol."""

from __future__ import annotations

import json
import re
from typing import Final, Protocol

from festinger.shim.proxy.wording import error_event, error_line

LINE_BYTES_MAX: Final = 2**20
"""Maximum number of bytes of a line of a stream that are kept, to be parsed."""

# End markers are shorter, so one that is split between chunks is found.
_TAIL_BYTES: Final = 64

_DONE_LINE: Final = re.compile(rb'"done":\s*true|"error":')
# Progress of a pull or a push has no such mark.
_DONE_PATHS: Final = frozenset({"/api/chat", "/api/generate"})

# In a JSON string a newline is escaped, so text cannot be mistaken for one of these.
_DONE_EVENT: Final = re.compile(rb'\ndata: ?(?:\[DONE\]|\{"error")')
_DONE_EVENTS: Final = {
    "/v1/chat/completions": _DONE_EVENT,
    "/v1/completions": _DONE_EVENT,
    "/v1/responses": re.compile(
        rb"\nevent: ?(?:response\.(?:completed|incomplete|failed)|error)[\r\n]"
    ),
    "/v1/messages": re.compile(rb"\nevent: ?(?:message_stop|error)[\r\n]"),
}
_NUMBER: Final = re.compile(rb'"sequence_number": ?(\d+)')


class StreamWatch(Protocol):
    """A monitor of a stream that is being forwarded."""

    @property
    def complete(self) -> bool:
        """True if the stream may end here."""

    def see(self, chunk: bytes) -> None:
        """Process a chunk."""

    def error(self, message: str) -> bytes:
        """Return an error record to end the stream with; empty within a record."""


def watch(path: str, content_type: str) -> StreamWatch | None:
    """Return the monitor for a stream; None if its protocol is not known."""
    if content_type == "application/x-ndjson" and path.startswith("/api/"):
        return Lines(ends=path in _DONE_PATHS)
    if content_type == "text/event-stream" and path in _DONE_EVENTS:
        return Events(path)
    # An unknown protocol: the connection's end is all that there is.
    return None


class Lines:
    """Monitor of a stream of JSON lines; blank ones are ignored.

    Args:
        ends: Whether the protocol marks its last line.
    """

    def __init__(self, *, ends: bool) -> None:
        self._ends = ends
        self._last = b""
        self._open = bytearray()

    @property
    def complete(self) -> bool:
        """True if the last line marks the answer as done or failed."""
        # The last line may come without a newline.
        return not self._ends or _is_done(bytes(self._open).strip() or self._last)

    def see(self, chunk: bytes) -> None:
        """Keep the last complete line, and the beginning of the next."""
        lines, end, rest = chunk.rpartition(b"\n")
        if end:
            _, _, last = (bytes(self._open) + lines).rstrip().rpartition(b"\n")
            self._last = last or self._last
            self._open.clear()
        # A longer line is kept up to the limit; see `_is_done`.
        self._open += rest[: LINE_BYTES_MAX - len(self._open)]

    def error(self, message: str) -> bytes:
        """Return an error line; empty within a line."""
        return b"" if self._open.strip() else error_line(message)


class Events:
    """Monitor of a stream of server-sent events.

    Attributes:
        complete: True once the end marker was sent.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._ending = _DONE_EVENTS[path]
        # As if an event had just ended, so that the first line is found as well.
        self._tail = b"\n\n"
        # No event so far; an error's number is the next one.
        self._number = -1
        self.complete = False

    def see(self, chunk: bytes) -> None:
        """Search a chunk for the end marker and the newest sequence number."""
        seen = self._tail + chunk
        self.complete = self.complete or self._ending.search(seen) is not None
        if self._path == "/v1/responses":
            newest = _NUMBER.search(seen, max(0, seen.rfind(b'"sequence_number":')))
            self._number = int(newest[1]) if newest else self._number
        self._tail = seen[-_TAIL_BYTES:]

    def error(self, message: str) -> bytes:
        """Return an error event; empty within an event."""
        # Within an event an error would become a part of it.
        if not self._tail.endswith((b"\n\n", b"\r\n\r\n", b"\r\r")):
            return b""
        return error_event(self._path, message, self._number + 1)


def _is_done(line: bytes) -> bool:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        # A line too long to be kept whole: the list of token numbers at its end is cut.
        return _DONE_LINE.search(line) is not None
    return isinstance(said, dict) and (said.get("done") is True or "error" in said)
