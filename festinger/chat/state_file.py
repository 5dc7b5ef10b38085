"""SQLite file with the state of a bot: its tables, lock and transactions."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from festinger.errors import ConfigurationError, DataDirectoryInUse

_T = TypeVar("_T")

_SCHEMA = """
create table if not exists settings (key text primary key, value text not null);
-- questions that have a message, in the order in which it asks them
create table if not exists posted (
    question_id integer primary key,
    candidate_id  integer not null,
    bot         integer not null,
    reference   text not null,
    place       text not null,
    line        integer not null,
    reported    integer not null default 0,
    open        integer not null default 1,
    posted_at   real not null
);
create index if not exists posted_by_reference on posted (reference);
-- waiting → counted → withdrawn, or refused
create table if not exists answers (
    number      integer primary key,
    delivery    text not null unique,
    reference   text not null,
    account     text not null,
    mark        text not null,
    content     text not null,
    received_at real not null,
    state       text not null default 'waiting',
    question_id integer,
    candidate_id  integer,
    principal   text,
    -- the delivery that takes it back
    withdrawn_by text
);
create index if not exists answers_by_state on answers (state, number);
create index if not exists answers_of on answers (candidate_id, principal, number);
create index if not exists answers_to on answers (reference, account);
"""

_UPGRADE = """
drop index heard_by_state; drop index heard_of; drop index heard_to;
alter table heard rename to answers;
alter table answers rename said to content;
alter table answers rename taken_by to withdrawn_by;
alter table kept rename to settings;
"""
"""Renames the tables of a file whose answers have not been sent yet."""


class StateFile:
    """SQLite file that one bot has open; its statements run on a thread of their own.

    Args:
        file: The path of the file; it is created if there is none.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        # SQLite blocks on the disk, which must not block the event loop. One thread, because a
        # connection belongs to the thread that made it, and so that writes keep their order.
        self._thread = ThreadPoolExecutor(1, "bot-state")
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file.

        Raises:
            DataDirectoryInUse: Another bot has the file open.
            ConfigurationError: The file cannot be written or is no SQLite database.
        """
        await asyncio.get_running_loop().run_in_executor(self._thread, self._open)

    async def close(self) -> None:
        """Close the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    async def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._do(lambda it: it.execute(statement, values).fetchall())

    async def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        await self._do(lambda it: it.executemany(statement, rows))

    async def _do(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run a function in a transaction on the thread of the connection."""

        def within() -> _T:
            """Do the work in a transaction."""
            assert self._connection is not None
            # Commits, or rolls back where the work raises.
            with self._connection:
                return work(self._connection)

        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, within)

    def _open(self) -> None:
        try:
            # Answers are private: nobody but the owner reads the file.
            self._file.parent.mkdir(mode=0o700, exist_ok=True)
            self._connection = sqlite3.connect(self._file, timeout=1.0)
            self._file.chmod(0o600)
            # The first transaction takes the lock, and the connection keeps it.
            self._connection.execute("pragma locking_mode = exclusive")
            self._connection.execute("pragma journal_mode = wal")
            # In WAL mode, `normal` would lose the last commits with the power.
            self._connection.execute("pragma synchronous = full")
            # Written by an earlier version, perhaps with answers that are still to be sent.
            known = self._connection.execute(
                "select 1 from sqlite_master where name = 'heard'"
            )
            upgrade = _UPGRADE if known.fetchone() else ""
            # `immediate` takes the lock now, so that a second bot fails here, not later.
            self._connection.executescript(
                f"begin immediate; {upgrade} {_SCHEMA} commit;"
            )
        except sqlite3.OperationalError as error:
            self._close()
            if "locked" in str(error):  # SQLite has one exception for all of these
                raise DataDirectoryInUse(
                    f"another bot writes {self._file}. Stop it, or choose another "
                    "directory with --data-dir or FESTINGER_DATA_DIR"
                ) from None
            raise ConfigurationError(f"cannot write {self._file}: {error}") from None
        except (sqlite3.DatabaseError, OSError) as error:
            self._close()
            raise ConfigurationError(
                f"cannot use {self._file}: {error}. Move it away: the bot begins anew, "
                "and looks through the last days of its rooms"
            ) from None

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
