"""Output of what goes on, whether or not anybody can take it.

A terminal is closed, a reader ends, a disk fills up: a server has more to do than to say
what it does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, cast


def forgiving(stream: TextIO) -> TextIO:
    """A stream on which writing never fails; what cannot be written is lost."""
    return cast("TextIO", _Forgiving(stream))


class _Forgiving:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:
        return self._stream.encoding

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def write(self, text: str) -> int:
        with self._forgiven():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._forgiven():
            self._stream.flush()

    @contextmanager
    def _forgiven(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):  # ValueError: it was closed
            # What is left in the buffer would fail once more at the process's end.
            with suppress(OSError, ValueError):
                _drop(self._stream)


def _drop(stream: TextIO) -> None:
    """Writes what a stream has in its buffer to nowhere."""
    number = stream.fileno()
    kept, nowhere = os.dup(number), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, number)
        stream.flush()
    finally:
        os.dup2(kept, number)
        os.close(kept)
        os.close(nowhere)
