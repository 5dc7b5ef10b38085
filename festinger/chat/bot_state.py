"""Persistent state of a bot: posted questions and received answers."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.adapter import EVERY, PlatformAnswer
from festinger.chat.state_file import StateFile
from festinger.core.validation.votes import EventResponse


@dataclass(frozen=True, slots=True)
class PostedMessage:
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


class BotState(StateFile):
    """State of a bot; writes return when they are on disk."""

    async def value(self, key: str) -> str:
        """Return the value of a key, or an empty string if there is none."""
        rows = await self._rows("select value from settings where key = ?", key)
        return str(rows[0][0]) if rows else ""

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

    async def posted(self, question_id: int) -> PostedMessage | None:
        """Return the posted question, or None if it was not posted."""
        found = await self._posted("question_id = ?", question_id)
        return found[0] if found else None

    async def unreported(self) -> list[PostedMessage]:
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

    async def posted_in(self, reference: str) -> list[PostedMessage]:
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

    async def open_at(self, place: str) -> list[PostedMessage]:
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

    async def _posted(self, condition: str, *values: object) -> list[PostedMessage]:
        rows = await self._rows(
            "select question_id, candidate_id, bot, reference, place, line, reported, "
            # Conditions are constants of this module; values are passed beside them.
            f"open from posted where {condition} order by line, question_id",
            *values,
        )
        return [PostedMessage(*row) for row in rows]

    async def _answers(self, condition: str, *values: object) -> list[StoredAnswer]:
        rows = await self._rows(
            "select content, state, question_id, candidate_id, principal, withdrawn_by, "
            f"received_at from answers where {condition} order by number",
            *values,
        )
        return [StoredAnswer(_from_json(content), *rest) for content, *rest in rows]


_SET_VALUE = "insert or replace into settings (key, value) values (?, ?)"


def _to_json(answer: PlatformAnswer) -> str:
    return json.dumps(asdict(answer), ensure_ascii=False)


def _from_json(content: object) -> PlatformAnswer:
    values = json.loads(str(content))
    values["response"] = EventResponse(values["response"])
    return PlatformAnswer(**values)
