"""The address of the server that serves a data directory, for commands that look for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from festinger.private import replacing

_NAME: Final = "server.address"


@contextmanager
def announced(data_dir: Path, address: str) -> Iterator[None]:
    """Leave the address of a server in its data directory for as long as it runs.

    Raises:
        ConfigurationError: The file cannot be written.
    """
    file = data_dir / _NAME
    with replacing(file) as out:
        out.write(f"{address}\n")
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()


def address_in(data_dir: Path) -> str | None:
    """Return where the server of a data directory listens; None if none says so.

    A server that was killed leaves its address behind.
    """
    try:
        return (data_dir / _NAME).read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None
