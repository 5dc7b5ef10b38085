"""Persistent state of a bot in a SQLite file: posted questions and received answers."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.adapter import EVERY, PlatformAnswer
from festinger.core.validation.events import EventResponse
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


@dataclass(frozen=True, slots=True)
class Posted:
    """Question that was posted in a message.

    Attributes:
        candidate_id: The number of the candidate, or what `about` returns for an item.
        bot: The number of the bot, a value of the enum `Bot`.
        reference: The platform's identifier of the message.
        place: The platform's identifier of the room or channel.
        line: The number of the question in a digest, from 1; 0 if it is the only one.
        reported: 1 if the server knows of the message.
        open: 1 if the question can still be answered.
    """

    question_id: int
    candidate_id: int
    bot: int
    reference: str
    place: str
    line: int
    reported: int = 0
    open: int = 1


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """Received answer and its state.

    Attributes:
        answer: The answer.
        state: `waiting`, `counted`, `withdrawn` or `refused`.
        question_id: The answered question; None until the answer is counted.
        candidate_id: The candidate of the question; None until the answer is counted.
        principal: The principal that answered; None until the answer is counted.
        withdrawn_by: The delivery that withdraws the answer; None if there is none.
        received_at: The time of its arrival in seconds since the epoch.
    """

    answer: PlatformAnswer
    state: str
    question_id: int | None
    candidate_id: int | None
    principal: str | None
    withdrawn_by: str | None
    received_at: float


def about(question: Question) -> int:
    """Return the candidate of a question; below 0 what stands for its item."""
    # An item, such as a conflict, has no candidate; numbers below 0 are nobody else's.
    return question.candidate_id or -question.id


class BotState:
    """State file of a bot; writes return when they are on disk.

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

    async def value(self, key: str) -> str:
        """Return the value of a key, or an empty string if there is none."""
        row = await self._first("select value from settings where key = ?", key)
        return str(row[0]) if row else ""

    async def set_value(self, key: str, value: str) -> None:
        """Store the value of a key."""
        await self._write(_SET_VALUE, [(key, value)])

    async def add_posted(
        self, questions: Sequence[Question], reference: str, place: str, now: float
    ) -> None:
        """Record the message of these questions, as not yet reported to the server."""
        alone = len(questions) == 1
        await self._write(
            # A question that is posted again has a new message, and is not reported yet.
            "insert or replace into posted (question_id, candidate_id, bot, reference, "
            "place, line, posted_at) values (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    it.id,
                    about(it),
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
        """Return the posted question, or None if it was not posted."""
        found = await self._posted("question_id = ?", question_id)
        return found[0] if found else None

    async def unreported(self) -> list[Posted]:
        """Return the posted questions that are not reported to the server yet."""
        return await self._posted("not reported")

    async def report_again(self, question_id: int) -> None:
        """Mark a posted question to be reported to the server again."""
        await self._write(
            "update posted set reported = 0 where question_id = ?", [(question_id,)]
        )

    async def reported(self, question_id: int) -> None:
        """Mark a posted question as reported to the server."""
        await self._write(
            "update posted set reported = 1 where question_id = ?", [(question_id,)]
        )

    async def posted_in(self, reference: str) -> list[Posted]:
        """Return the questions of a message, in order."""
        return await self._posted("reference = ?", reference)

    async def expanded(self, answers: Sequence[PlatformAnswer]) -> list[PlatformAnswer]:
        """Expand answers to all questions of a digest into one answer per question."""
        each: list[PlatformAnswer] = []
        for answer in answers:
            if answer.line != EVERY:
                each.append(answer)
                continue
            # One delivery a question, so that each can be taken back by itself.
            for posted in await self.posted_in(answer.reference):
                name = f"{answer.delivery}#{posted.line}"
                each.append(replace(answer, delivery=name, line=posted.line))
        return each

    async def open_at(self, place: str) -> list[Posted]:
        """Return the open questions of a room or channel."""
        return await self._posted("place = ? and open", place)

    async def open_references(self) -> list[str]:
        """Return the references of the messages that have open questions."""
        found = await self._posted("open")
        return list(dict.fromkeys(it.reference for it in found))

    async def close_question(self, question_id: int) -> None:
        """Mark a question as closed."""
        await self._write(
            "update posted set open = 0 where question_id = ?", [(question_id,)]
        )

    async def add_answers(
        self, answers: Sequence[PlatformAnswer], values: Mapping[str, str], now: float
    ) -> None:
        """Store new answers and key-value pairs in one transaction."""
        # A delivery is stored once, however often the platform repeats it.

        def write(connection: sqlite3.Connection) -> None:
            """Insert the answers and update the stored values."""
            connection.executemany(
                "insert or ignore into answers "
                "(delivery, reference, account, mark, content, received_at) "
                "values (?, ?, ?, ?, ?, ?)",
                [
                    (it.delivery, it.reference, it.account, it.mark, _to_json(it), now)
                    for it in answers
                ],
            )
            connection.executemany(_SET_VALUE, list(values.items()))

        await self._do(write)

    async def waiting(self) -> list[StoredAnswer]:
        """Return the answers that the server has not committed yet, oldest first."""
        return await self._answers("state = 'waiting'")

    async def by_delivery(self, delivery: str) -> list[StoredAnswer]:
        """Return the answers of a delivery, with its parts (`DELIVERY#LINE`)."""
        return await self._answers(
            # Not `like`: deliveries are names of the platform, and may have `%` and `_`.
            "delivery = ? or substr(delivery, 1, ?) = ?",
            delivery,
            len(delivery) + 1,
            f"{delivery}#",
        )

    async def by_reference(self, reference: str) -> list[StoredAnswer]:
        """Return all answers that refer to a message."""
        return await self._answers("reference = ?", reference)

    async def counted_of(self, candidate_id: int, principal: str) -> list[StoredAnswer]:
        """Return a principal's counted answers about a candidate, oldest first."""
        return await self._answers(
            "candidate_id = ? and principal = ? and state = 'counted'",
            candidate_id,
            principal,
        )

    async def settle(
        self,
        delivery: str,
        state: str,
        *,
        question_id: int | None = None,
        candidate_id: int | None = None,
        principal: str | None = None,
    ) -> None:
        """Set the state of an answer and, if given, what it refers to."""
        await self._write(
            # What an answer refers to stays known when it is withdrawn later.
            "update answers set state = ?, question_id = coalesce(?, question_id), "
            "candidate_id = coalesce(?, candidate_id), "
            "principal = coalesce(?, principal) where delivery = ?",
            [(state, question_id, candidate_id, principal, delivery)],
        )

    async def withdraw(self, delivery: str, withdrawn_by: str) -> None:
        """Record the delivery that withdraws an answer; the first one stays."""
        await self._write(
            "update answers set withdrawn_by = coalesce(withdrawn_by, ?) where delivery = ?",
            [(withdrawn_by, delivery)],
        )

    async def prune(self, before: float) -> None:
        """Delete posted questions and settled answers from before a time, in seconds."""
        await self._write(
            "delete from posted where reported and posted_at < ?", [(before,)]
        )
        # Those to open messages stay: reactions are compared with them after a restart.
        await self._write(
            "delete from answers where state <> 'waiting' and received_at < ? and not "
            "exists (select 1 from posted where posted.reference = answers.reference "
            "and open)",
            [(before,)],
        )

    async def _posted(self, condition: str, *values: object) -> list[Posted]:
        rows = await self._rows(
            "select question_id, candidate_id, bot, reference, place, line, reported, "
            # Conditions are constants of this module; values are passed beside them.
            f"open from posted where {condition} order by line, question_id",
            *values,
        )
        return [Posted(*row) for row in rows]

    async def _answers(self, condition: str, *values: object) -> list[StoredAnswer]:
        rows = await self._rows(
            "select content, state, question_id, candidate_id, principal, withdrawn_by, "
            f"received_at from answers where {condition} order by number",
            *values,
        )
        return [StoredAnswer(_from_json(content), *rest) for content, *rest in rows]

    async def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._do(lambda it: it.execute(statement, values).fetchall())

    async def _first(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        rows = await self._rows(statement, *values)
        return rows[0] if rows else None

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


_SET_VALUE = "insert or replace into settings (key, value) values (?, ?)"


def _to_json(answer: PlatformAnswer) -> str:
    return json.dumps(asdict(answer), ensure_ascii=False)


def _from_json(content: object) -> PlatformAnswer:
    values = json.loads(str(content))
    values["response"] = EventResponse(values["response"])
    return PlatformAnswer(**values)
