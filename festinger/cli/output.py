"""Output streams that ignore write errors.

A closed terminal, a reader that exits or a full disk does not stop a server.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, cast


def forgiving(stream: TextIO) -> TextIO:
    """Wrap a stream so that writing never fails; output that fails is lost."""
    return cast("TextIO", _LossyStream(stream))


class _LossyStream:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:
        """Return the stream's encoding."""
        return self._stream.encoding

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the stream's file descriptor."""
        return self._stream.fileno()

    def write(self, text: str) -> int:
        """Write text; ignore it if nobody reads the stream any more."""
        with self._forgiven():
            self._stream.write(text)
        return len(text)  # as if written: a caller could do nothing about it

    def flush(self) -> None:
        """Flush the stream; ignore it if nobody reads it any more."""
        with self._forgiven():
            self._stream.flush()

    @contextmanager
    def _forgiven(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):  # ValueError: the stream is closed
            # The rest of the buffer would fail again when the process exits.
            with suppress(OSError, ValueError):
                _drop(self._stream)


def _drop(stream: TextIO) -> None:
    """Discard the buffer of a stream by flushing it to the null device."""
    number = stream.fileno()
    # The descriptor is exchanged for a moment: the buffer itself cannot be emptied.
    kept, nowhere = os.dup(number), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, number)
        stream.flush()
    finally:
        os.dup2(kept, number)
        os.close(kept)
        os.close(nowhere)
