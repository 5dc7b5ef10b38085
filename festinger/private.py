"""Files that only their owner can read, and that are replaced atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO


@contextmanager
def replacing(file: Path, *, durable: bool = False) -> Iterator[TextIO]:
    """Open a text file (mode 0600) that replaces another one at the end of the block.

    Args:
        durable: Whether to sync the text to the disk before the replacement.
    """
    with replacing_bytes(file, durable=durable) as out:
        stream = TextIOWrapper(out, encoding="utf-8")
        try:
            yield stream
        finally:
            # Writes what is buffered, and leaves the closing to the inner block.
            stream.detach()


@contextmanager
def replacing_bytes(file: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a file of bytes, which can be read back, as `replacing` does one of text."""
    # In the same folder: only within a file system is replacing atomic.
    half = file.with_name(f".{file.name}.new")
    half.unlink(missing_ok=True)  # of a process that was killed
    # With its mode from the beginning; O_EXCL follows no link that somebody put there.
    descriptor = os.open(half, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w+b") as out:
            yield out
            if durable:
                out.flush()
                os.fsync(out.fileno())
        half.replace(file)
    # If the block fails, or is cancelled, the other file stays as it was.
    except BaseException:
        half.unlink(missing_ok=True)
        raise
