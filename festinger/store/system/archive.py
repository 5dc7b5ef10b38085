"""The file of a backup: a ZIP archive of tables as text, and a manifest.

tables/NAME.copy   the rows of a table, as Postgres's COPY writes them as text
manifest.json      what each table has to hold, written last
"""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import BinaryIO, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from festinger.errors import UnreadableFile
from festinger.lifetimes import Closeable

FORMAT: Final = "festinger-backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
MANIFEST_BYTES_MAX: Final = 2**20  # bounds what a foreign file can make us read
PART_BYTES: Final = 256 * 1024  # read at once, whatever a table's size
LEVEL: Final = 3
"""Level of the compression: higher ones take twice as long for a tenth less."""


class RowSum:
    """Count and checksum of rows, which do not depend on their order."""

    def __init__(self) -> None:
        self.count = 0
        # A sum of the rows' hashes: each copy of a database has its rows in another order on disk.
        self._sum = 0
        self._rest = b""  # the start of a row that ends in the next part

    def add(self, part: bytes) -> None:
        """Add rows as COPY writes them; a part may end within a row."""
        *rows, self._rest = (self._rest + part).split(b"\n")
        for row in rows:
            self._sum += int.from_bytes(sha256(row).digest(), "big")
        self.count += len(rows)

    @property
    def checksum(self) -> str:
        """The sum modulo 2^256 of the SHA-256 of all rows, in hexadecimal."""
        return f"{self._sum % 2**256:064x}"


@dataclass(frozen=True, slots=True)
class TableContent:
    """Content of a table.

    Attributes:
        columns: The names of its columns, in the order of the rows' values.
        rows: The number of its rows.
        checksum: The checksum of its rows, as `RowSum` makes it.
    """

    columns: list[str]
    rows: int
    checksum: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Content of a backup.

    Attributes:
        festinger: The version of Festinger that made it.
        schema: The revision of the database's schema.
        postgres: The version of the database.
        made: The time of the backup, in ISO 8601.
        tenants: The version of each memory.
        tables: What each table holds.
        sequences: The last number that each sequence gave out.
    """

    festinger: str
    schema: str
    postgres: str
    made: str
    tenants: Mapping[str, int] = field(default_factory=dict)
    tables: Mapping[str, TableContent] = field(default_factory=dict)
    sequences: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of rows of all tables."""
        return sum(table.rows for table in self.tables.values())


class ArchiveWriter(Closeable):
    """Writer of a backup, a table at a time, in little memory.

    Used as a context manager, which writes the archive's directory at the end.

    Args:
        out: The file, empty and open for writing.
    """

    def __init__(self, out: BinaryIO) -> None:
        # A ZIP can be written as a stream, `unzip` reads it, and its directory stands at the
        # end, so that a file that was cut off is noticed at once.
        self._zip = ZipFile(
            out, "w", ZIP_DEFLATED, allowZip64=True, compresslevel=LEVEL
        )

    def close(self) -> None:
        """Close the archive."""
        self._zip.close()

    @contextmanager
    def table(self, name: str) -> Iterator[BinaryIO]:
        """Open the file of a table's rows."""
        # The size is not known in advance, and without ZIP64 it could not pass 4 GiB.
        with self._zip.open(_member(name), "w", force_zip64=True) as member:
            yield member  # type: ignore[misc]  # it is IO[bytes]

    def describe(self, manifest: Manifest) -> None:
        """Write the manifest."""
        content = {"format": FORMAT, "version": VERSION, **asdict(manifest)}
        self._zip.writestr(MANIFEST, json.dumps(content, indent=1))


class ArchiveReader(Closeable):
    """Reader of a backup, and a context manager.

    Args:
        file: The file, open for reading.
        name: Its name, for messages.

    Raises:
        UnreadableFile: It is no backup, or the file is damaged.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._name = name
        try:
            self._zip = ZipFile(file)
        except (BadZipFile, OSError, ValueError):
            # A ZIP begins with these bytes: ours without a directory was cut off.
            file.seek(0)
            if file.read(4) == b"PK\x03\x04":
                raise self._damaged("its end is missing") from None
            raise self._foreign() from None
        try:
            self.manifest = self._read_manifest()
        except BaseException:
            self._zip.close()
            raise

    def close(self) -> None:
        """Close the archive."""
        self._zip.close()

    def verify(self) -> None:
        """Read everything, and compare it with the manifest, or `UnreadableFile`."""
        for name in self.manifest.tables:
            found = RowSum()
            for part in self.parts(name):
                found.add(part)
            self.require_same(name, found)

    def require_same(self, name: str, found: RowSum, where: str = "") -> None:
        """Compare a table's rows with the manifest.

        Args:
            name: The table.
            found: The rows that were found.
            where: Where they were found if it was not in the file, for the message.

        Raises:
            UnreadableFile: They differ.
        """
        table = self.manifest.tables[name]
        if (found.count, found.checksum) != (table.rows, table.checksum):
            raise self._damaged(
                f"table {name} has {found.count} rows{where}, which are not the "
                f"{table.rows} that were written"
            )

    def parts(self, name: str) -> Iterator[bytes]:
        """Yield the rows of a table in parts of a bounded size, or `UnreadableFile`."""
        try:
            with self._zip.open(_member(name)) as member:
                while part := member.read(PART_BYTES):
                    yield part
        except (
            *(BadZipFile, zlib.error, EOFError, OSError, KeyError),
            *(RuntimeError, NotImplementedError),  # a bit that stands for a password
        ):
            raise self._damaged(f"table {name} cannot be read") from None

    async def stream(self, name: str) -> AsyncIterator[bytes]:
        """Yield what `parts` does, as asyncpg wants it."""
        for part in self.parts(name):
            yield part

    def _read_manifest(self) -> Manifest:
        try:
            with self._zip.open(MANIFEST) as member:
                # A manifest that is longer is cut here, and then no valid JSON.
                content = json.loads(member.read(MANIFEST_BYTES_MAX))
            form, version = content.pop("format"), content.pop("version")
            tables = content.pop("tables")
        except KeyError:
            raise self._foreign() from None
        except (BadZipFile, zlib.error, EOFError, OSError, ValueError, AttributeError):
            raise self._damaged("its manifest cannot be read") from None
        # Another program's ZIP may have a `manifest.json` too.
        if form != FORMAT:
            raise self._foreign()
        if version != VERSION:
            raise UnreadableFile(
                f"{self._name} is a backup of form {version}; this Festinger reads form "
                f"{VERSION}. Install the version that made it"
            )
        # A `TypeError` is a key that is missing, or that this version does not know.
        try:
            read = {name: TableContent(**table) for name, table in tables.items()}
            return Manifest(**content, tables=read)
        except (TypeError, AttributeError):
            raise self._damaged("its manifest cannot be read") from None

    def _foreign(self) -> UnreadableFile:
        return UnreadableFile(
            f"{self._name} is not a backup of Festinger. Name a file that `festinger "
            "system backup` wrote; nothing was changed"
        )

    def _damaged(self, why: str) -> UnreadableFile:
        return UnreadableFile(
            f"{self._name} is damaged: {why}. Take another copy or an older backup; "
            "nothing was changed"
        )


def _member(table: str) -> str:
    return f"tables/{table}.copy"
