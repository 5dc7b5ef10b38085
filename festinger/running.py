"""Address of the server of a data directory, in a file for commands to find it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from festinger.errors import ConfigurationError
from festinger.private import replacing

_NAME: Final = "server.address"


@contextmanager
def announced(data_dir: Path, address: str) -> Iterator[None]:
    """Keep the address of a server in its data directory while the block runs."""
    file = data_dir / _NAME
    try:
        with replacing(file) as out:
            out.write(f"{address}\n")
    except OSError as error:
        raise ConfigurationError(
            f"cannot write {file}: {error.strerror}. Make the data directory writable, "
            "or choose another one with FESTINGER_DATA_DIR"
        ) from None
    try:
        yield
    finally:  # the file may be gone with its folder
        with suppress(OSError):
            file.unlink()


def address_in(data_dir: Path) -> str | None:
    """Return the address of a data directory's server; None if there is none."""
    # It may be outdated: a server that was killed does not remove it.
    try:
        return (data_dir / _NAME).read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None
