"""Files that nobody else may read, and that nobody ever sees half of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def replacing(file: Path, *, durable: bool = False) -> Iterator[TextIO]:
    """A text that takes a file's place at the end of the block, unless that fails.

    Only its owner can read it (mode 0600).

    Args:
        durable: Whether it is on the disk once the block has ended.
    """
    half = file.with_name(f".{file.name}.new")
    half.unlink(missing_ok=True)
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            yield stream
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        half.replace(file)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
