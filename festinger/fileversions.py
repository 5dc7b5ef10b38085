"""Versions of files, which tell whether one was replaced without reading it."""

from __future__ import annotations

from pathlib import Path


def version_of(file: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file; None if it is not there."""
    try:
        status = file.stat()
    except OSError:
        return None
    # The time alone is too coarse: file systems count it in ticks of milliseconds or more,
    # and `cp -p` keeps it. A file that is moved into place has another inode at least.
    return status.st_mtime_ns, status.st_ino, status.st_size
