"""What a bot must not forget, in a file: what it posted, and what it heard.

What is heard stays `waiting` until the memory server has committed it, so that a kill
between the two changes nothing. A file is one bot's: a second one is refused.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.adapter import PlatformAnswer
from festinger.core.validation.events import AnswerEvent
from festinger.errors import ConfigurationError, DataDirectoryInUse

_T = TypeVar("_T")

_SCHEMA = """
create table if not exists kept (key text primary key, value text not null);
-- questions that have a message, in the order in which it asks them
create table if not exists posted (
    question_id integer primary key,
    factoid_id  integer not null,
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
create table if not exists heard (
    number      integer primary key,
    delivery    text not null unique,
    reference   text not null,
    account     text not null,
    mark        text not null,
    said        text not null,
    received_at real not null,
    state       text not null default 'waiting',
    question_id integer,
    factoid_id  integer,
    principal   text,
    -- the delivery that takes it back
    taken_by    text
);
create index if not exists heard_by_state on heard (state, number);
create index if not exists heard_of on heard (factoid_id, principal, number);
create index if not exists heard_to on heard (reference, account);
"""


@dataclass(frozen=True, slots=True)
class Posted:
    """A question that has a message.

    Attributes:
        line: Its place in a digest, from 1; 0 if it stands alone.
        place: Where the message is, in words of the platform.
    """

    question_id: int
    factoid_id: int
    bot: int
    reference: str
    place: str
    line: int
    reported: int = 0
    open: int = 1


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that was heard, and what became of it.

    Attributes:
        state: `waiting`, `counted`, `withdrawn` or `refused`.
    """

    heard: PlatformAnswer
    state: str
    question_id: int | None
    factoid_id: int | None
    principal: str | None
    taken_by: str | None
    received_at: float


class Notes:
    """The file of a bot; its calls return when they are on disk.

    Args:
        file: Where it is; it is made if there is none.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        # SQLite waits for the disk, which the loop should not.
        self._thread = ThreadPoolExecutor(1, "notes")
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Opens it.

        Raises:
            DataDirectoryInUse: Another bot has it.
            ConfigurationError: It cannot be written, or is no such file.
        """
        await asyncio.get_running_loop().run_in_executor(self._thread, self._open)

    async def close(self) -> None:
        """Closes it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    async def kept(self, key: str) -> str:
        """What was kept by a name; empty if nothing."""
        row = await self._first("select value from kept where key = ?", key)
        return str(row[0]) if row else ""

    async def keep(self, key: str, value: str) -> None:
        """Keeps something by a name."""
        await self._write(_KEEP, [(key, value)])

    async def note_posted(
        self, questions: Sequence[Question], reference: str, place: str, now: float
    ) -> None:
        """Notes what message asks these questions; it is to be reported."""
        alone = len(questions) == 1
        await self._write(
            "insert or replace into posted (question_id, factoid_id, bot, reference, "
            "place, line, posted_at) values (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    it.id,
                    it.factoid_id,
                    it.bot,
                    reference,
                    place,
                    0 if alone else line,
                    now,
                )
                for line, it in enumerate(questions, 1)
            ],
        )

    async def posted(self, question_id: int) -> Posted | None:
        """The message of a question; None if it has none."""
        found = await self._posted("question_id = ?", question_id)
        return found[0] if found else None

    async def unreported(self) -> list[Posted]:
        """What was posted and not reported yet."""
        return await self._posted("not reported")

    async def report_again(self, question_id: int) -> None:
        """Notes that the server does not know of a message, which it was told of."""
        await self._write(
            "update posted set reported = 0 where question_id = ?", [(question_id,)]
        )

    async def reported(self, question_id: int) -> None:
        """Notes that the server knows of a message."""
        await self._write(
            "update posted set reported = 1 where question_id = ?", [(question_id,)]
        )

    async def at(self, reference: str) -> list[Posted]:
        """The questions of a message, in order."""
        return await self._posted("reference = ?", reference)

    async def open_at(self, place: str) -> list[Posted]:
        """The questions that can be answered in a place."""
        return await self._posted("place = ? and open", place)

    async def open_references(self) -> list[str]:
        """The messages that can be answered."""
        found = await self._posted("open")
        return list(dict.fromkeys(it.reference for it in found))

    async def shut(self, question_id: int) -> None:
        """Notes that a question cannot be answered any more."""
        await self._write(
            "update posted set open = 0 where question_id = ?", [(question_id,)]
        )

    async def hear(
        self, heard: Sequence[PlatformAnswer], kept: Mapping[str, str], now: float
    ) -> None:
        """Notes what was heard, and what is to be kept with it, both or neither."""

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "insert or ignore into heard "
                "(delivery, reference, account, mark, said, received_at) "
                "values (?, ?, ?, ?, ?, ?)",
                [
                    (it.delivery, it.reference, it.account, it.mark, _text(it), now)
                    for it in heard
                ],
            )
            connection.executemany(_KEEP, list(kept.items()))

        await self._do(write)

    async def waiting(self) -> list[Noted]:
        """What the server has not committed yet, oldest first."""
        return await self._noted("state = 'waiting'")

    async def said(self, delivery: str) -> list[Noted]:
        """What was heard by a name: several answers if it is that of a list of them."""
        return await self._noted(
            "delivery = ? or substr(delivery, 1, ?) = ?",
            delivery,
            len(delivery) + 1,
            f"{delivery}#",
        )

    async def to(self, reference: str) -> list[Noted]:
        """All that was heard about a message."""
        return await self._noted("reference = ?", reference)

    async def counted_of(self, factoid_id: int, principal: str) -> list[Noted]:
        """The answers of somebody about a candidate that stand, oldest first."""
        return await self._noted(
            "factoid_id = ? and principal = ? and state = 'counted'",
            factoid_id,
            principal,
        )

    async def settle(
        self,
        delivery: str,
        state: str,
        *,
        question_id: int | None = None,
        factoid_id: int | None = None,
        principal: str | None = None,
    ) -> None:
        """Notes what became of something that was heard."""
        await self._write(
            "update heard set state = ?, question_id = coalesce(?, question_id), "
            "factoid_id = coalesce(?, factoid_id), "
            "principal = coalesce(?, principal) where delivery = ?",
            [(state, question_id, factoid_id, principal, delivery)],
        )

    async def take_back(self, delivery: str, taken_by: str) -> None:
        """Notes that something is taken back, by what."""
        await self._write(
            "update heard set taken_by = coalesce(taken_by, ?) where delivery = ?",
            [(taken_by, delivery)],
        )

    async def prune(self, before: float) -> None:
        """Forgets what is long over.

        Args:
            before: Only what was posted or heard before, in seconds since the epoch.
        """
        await self._write(
            "delete from posted where reported and posted_at < ?", [(before,)]
        )
        await self._write(
            "delete from heard where state <> 'waiting' and received_at < ? and not "
            "exists (select 1 from posted where posted.reference = heard.reference "
            "and open)",
            [(before,)],
        )

    async def _posted(self, condition: str, *values: object) -> list[Posted]:
        rows = await self._rows(
            "select question_id, factoid_id, bot, reference, place, line, reported, "
            f"open from posted where {condition} order by line, question_id",
            *values,
        )
        return [Posted(*row) for row in rows]

    async def _noted(self, condition: str, *values: object) -> list[Noted]:
        rows = await self._rows(
            "select said, state, question_id, factoid_id, principal, taken_by, "
            f"received_at from heard where {condition} order by number",
            *values,
        )
        return [Noted(_heard(said), *rest) for said, *rest in rows]

    async def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._do(lambda it: it.execute(statement, values).fetchall())

    async def _first(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        rows = await self._rows(statement, *values)
        return rows[0] if rows else None

    async def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        await self._do(lambda it: it.executemany(statement, rows))

    async def _do(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Does something in a transaction."""

        def within() -> _T:
            assert self._connection is not None
            with self._connection:
                return work(self._connection)

        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, within)

    def _open(self) -> None:
        try:
            self._file.parent.mkdir(mode=0o700, exist_ok=True)
            self._connection = sqlite3.connect(self._file, timeout=1.0)
            self._file.chmod(0o600)
            # The first transaction takes the lock, and nothing gives it back.
            self._connection.execute("pragma locking_mode = exclusive")
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("pragma synchronous = full")
            self._connection.executescript(f"begin immediate; {_SCHEMA} commit;")
        except sqlite3.OperationalError as error:
            self._close()
            if "locked" in str(error):
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


_KEEP = "insert or replace into kept (key, value) values (?, ?)"


def _text(heard: PlatformAnswer) -> str:
    return json.dumps(asdict(heard), ensure_ascii=False)


def _heard(said: object) -> PlatformAnswer:
    values = json.loads(str(said))
    values["response"] = AnswerEvent(values["response"])
    return PlatformAnswer(**values)
