"""Whether a stream is complete: each protocol says so in its own way.

A stream that ends without it was broken off, even if the connection ended in good
order: Ollama swallows errors on `/v1` once the first byte is out.
"""

from __future__ import annotations

import json
import re
from typing import Final, Protocol

from festinger.shim.proxy.wording import error_event, error_line

LINE_BYTES_MAX: Final = 2**20
"""How much of a line is kept, to be read if it is the last."""

_TAIL_BYTES: Final = 64

_DONE_LINE: Final = re.compile(rb'"done":\s*true|"error":')
_DONE_PATHS: Final = frozenset({"/api/chat", "/api/generate"})

# In a JSON string a line's end is an escape, so no text can pass for one of these.
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
    """Looks at a stream on its way."""

    @property
    def complete(self) -> bool:
        """Whether the stream may end here."""

    def see(self, chunk: bytes) -> None:
        """Takes note of a chunk."""

    def error(self, message: str) -> bytes:
        """An error to end the stream with; empty in the middle of a record."""


def watch(path: str, content_type: str) -> StreamWatch | None:
    """Who looks at the streams of a path; None where no protocol is known."""
    if content_type == "application/x-ndjson" and path.startswith("/api/"):
        return Lines(ends=path in _DONE_PATHS)
    if content_type == "text/event-stream" and path in _DONE_EVENTS:
        return Events(path)
    return None


class Lines:
    """Looks at lines of JSON; blank ones do not count.

    Args:
        ends: Whether the last one says that it is.
    """

    def __init__(self, *, ends: bool) -> None:
        self._ends = ends
        self._last = b""
        self._open = bytearray()

    @property
    def complete(self) -> bool:
        """Whether the last line says that the answer is done, or failed."""
        return not self._ends or _is_done(bytes(self._open).strip() or self._last)

    def see(self, chunk: bytes) -> None:
        """Keeps the last line, and what came of the next."""
        lines, end, rest = chunk.rpartition(b"\n")
        if end:
            _, _, last = (bytes(self._open) + lines).rstrip().rpartition(b"\n")
            self._last = last or self._last
            self._open.clear()
        self._open += rest[: LINE_BYTES_MAX - len(self._open)]

    def error(self, message: str) -> bytes:
        """A line, unless half a line came before."""
        return b"" if self._open.strip() else error_line(message)


class Events:
    """Looks at server-sent events.

    Args:
        path: Whose they are.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._ending = _DONE_EVENTS[path]
        self._tail = b"\n\n"
        self._number = -1
        self.complete = False

    def see(self, chunk: bytes) -> None:
        """Looks for the last event, and for the number of the newest."""
        seen = self._tail + chunk
        self.complete = self.complete or self._ending.search(seen) is not None
        if self._path == "/v1/responses":
            newest = _NUMBER.search(seen, max(0, seen.rfind(b'"sequence_number":')))
            self._number = int(newest[1]) if newest else self._number
        self._tail = seen[-_TAIL_BYTES:]

    def error(self, message: str) -> bytes:
        """An event, unless half an event came before."""
        if not self._tail.endswith((b"\n\n", b"\r\n\r\n", b"\r\r")):
            return b""
        return error_event(self._path, message, self._number + 1)


def _is_done(line: bytes) -> bool:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        # Too long to be kept whole: what comes last in it is the tokens' numbers.
        return _DONE_LINE.search(line) is not None
    return isinstance(said, dict) and (said.get("done") is True or "error" in said)
