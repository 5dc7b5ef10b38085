"""The audit log of a data directory: what was changed, when, and with which token."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger(__name__)

BYTES_MAX: Final = 64 * 2**20
"""Size from which a file is put aside, as `audit.log.1`; the one before it is removed."""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)  # made once


def audit_file(data_dir: Path) -> Path:
    """Return the path of the audit log of a data directory."""
    return data_dir / "audit.log"


class AuditLog:
    """A file with a JSON object a line, which only its owner can read.

    Args:
        bytes_max: Size in bytes from which it is put aside.
    """

    def __init__(self, file: Path, bytes_max: int = BYTES_MAX) -> None:
        self._file = file
        self._bytes_max = bytes_max
        self._descriptor: int | None = None

    def write(self, **values: Any) -> None:
        """Append a line with the time and some values, without those that are empty."""
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = {"time": time} | {key: it for key, it in values.items() if it}
        line = _ENCODER.encode(told) + "\n"
        try:
            with self._opened() as descriptor:
                # One write with O_APPEND: lines of several processes do not mix.
                os.write(descriptor, line.encode("utf-8", "backslashreplace"))
        # The change is made and cannot be taken back: its call must not fail for this.
        except OSError as error:
            self._complain(error)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the file; it is closed after the event loop's turn, if there is one."""
        # The calls of a batch end in one turn of the event loop, and share the open file.
        if self._descriptor is not None:
            yield self._descriptor
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._descriptor = os.open(self._file, flags, 0o600)
        try:
            loop = asyncio.get_running_loop()
        # Commands have no event loop, and write a line at a time.
        except RuntimeError:
            try:
                yield self._descriptor
            finally:
                self._close()
        else:
            # Closed soon, so that the file may be moved away at any time.
            loop.call_soon(self._close)
            yield self._descriptor

    def _close(self) -> None:
        """Close the file, and put it aside if it is long enough."""
        descriptor, self._descriptor = self._descriptor, None
        assert descriptor is not None, "it is closed once"
        try:
            size = os.fstat(descriptor).st_size
            os.close(descriptor)
            # Looked at behind a line, so that none is split between two files.
            if size >= self._bytes_max:
                self._file.replace(self._file.with_name(f"{self._file.name}.1"))
        except OSError as error:
            self._complain(error)

    def _complain(self, error: OSError) -> None:
        log.error("audit_failed", file=str(self._file), error=error.strerror)
