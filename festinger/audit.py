"""The audit log of a data directory: what was changed, when, and with which token."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger(__name__)

BYTES_MAX: Final = 64 * 2**20
"""Size from which a file is put aside, as `audit.log.1`; the one before it is removed."""


def audit_file(data_dir: Path) -> Path:
    """Return the path of the audit log of a data directory."""
    return data_dir / "audit.log"


class AuditLog:
    """A file with a JSON object a line, which only its owner can read.

    It is opened for each line, so that it may be moved away at any time.

    Args:
        file: The file.
        bytes_max: Size in bytes from which it is put aside.
    """

    def __init__(self, file: Path, bytes_max: int = BYTES_MAX) -> None:
        self._file = file
        self._bytes_max = bytes_max

    def write(self, **values: Any) -> None:
        """Append a line with the time and some values, without those that are empty.

        If it fails, that is logged: what was done cannot be taken back.
        """
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = {"time": time} | {key: it for key, it in values.items() if it}
        line = json.dumps(told, ensure_ascii=False) + "\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            descriptor = os.open(self._file, flags, 0o600)
            try:
                os.write(descriptor, line.encode("utf-8", "backslashreplace"))
                size = os.fstat(descriptor).st_size
            finally:
                os.close(descriptor)
            if size >= self._bytes_max:
                self._file.replace(self._file.with_name(f"{self._file.name}.1"))
        except OSError as error:
            log.error("audit_failed", file=str(self._file), error=error.strerror)
