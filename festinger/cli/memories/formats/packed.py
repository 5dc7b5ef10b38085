"""Files that come packed: archives of exports and zstd, with bounds on their sizes."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from festinger.errors import UnreadableFile

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

UNPACKED_BYTES_MAX: Final = 8 * 2**30  # of a member; it is read in pieces
RATIO_MAX: Final = 200
"""Maximum ratio by which a file may be packed, if it is not small."""
# A bomb of this size does no harm, and short files compress well.
SMALL_BYTES: Final = 64 * 2**20
# ChatGPT splits a large export: `conversations-001.json`.
_MEMBER: Final = re.compile(r"(?:conversations(?:-\d+)?|memories)\.json")
# What `zipfile` raises over an archive that is broken, encrypted or of an unknown method.
_BROKEN: Final = (
    BadZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    zstd.ZstdError,
)


def members_of(path: Path) -> Sequence[str]:
    """Return the names of an archive's files that are read, in their order.

    Returns:
        One empty name, if the file is no archive.

    Raises:
        UnreadableFile: It cannot be unpacked, or has no conversations.
    """
    if path.suffix.lower() != ".zip":
        return ("",)
    with _named(path), ZipFile(path) as archive:
        # At any depth: some exports have a folder in them.
        names = [it for it in archive.namelist() if _MEMBER.fullmatch(Path(it).name)]
    if not names:
        raise UnreadableFile(
            f"{path}: there is no conversations.json in it. Unpack it, and import "
            "the files or the folder"
        )
    return sorted(names)  # the parts of a split export in their order


@contextmanager
def opened(path: Path, member: str = "") -> Iterator[IO[bytes]]:
    """Open a file for reading it unpacked; raise `UnreadableFile` if it is a bomb."""
    if member:
        # By the sizes that the archive states; `zipfile` reads no more than that.
        with _named(path), ZipFile(path) as archive:
            _require_harmless(path, archive.getinfo(member))
            with archive.open(member) as file:
                yield file
    # zstd states no size that could be believed: it is counted while reading.
    elif path.suffix.lower() == ".zst":
        with (
            _named(path),
            zstd.open(path, "rb") as packed,
            closing(io.BufferedReader(_Unpacked(packed, path))) as file,
        ):
            yield file
    else:
        with path.open("rb") as file:
            yield file


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise UnreadableFile(f"{path}: it cannot be unpacked: {error}") from None


def _require_harmless(path: Path, entry: ZipInfo) -> None:
    ratio = entry.file_size / max(1, entry.compress_size)
    if entry.file_size > UNPACKED_BYTES_MAX or ratio > RATIO_MAX:
        raise UnreadableFile(
            f"{path}: {entry.filename} unpacks to {entry.file_size >> 20} MB, "
            f"{ratio:.0f} times its size. Unpack it yourself if you trust it"
        )


class _Unpacked(io.RawIOBase):
    """The unpacked content of a packed file, as long as it is not too much.

    Args:
        packed: Reads the unpacked bytes.
    """

    def __init__(self, packed: Any, path: Path) -> None:
        self._packed = packed
        self._path = path
        # A small file may unpack to this size, whatever its ratio.
        self._left = max(SMALL_BYTES, RATIO_MAX * path.stat().st_size)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        data = self._packed.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableFile(
                f"{self._path} unpacks to more than {RATIO_MAX} times its size. Unpack "
                "it yourself if you trust it"
            )
        buffer[: len(data)] = data
        return len(data)
