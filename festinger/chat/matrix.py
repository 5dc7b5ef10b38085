"""Adapter for Matrix: messages with three reactions, one of which is clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from hashlib import sha256
from html import escape
from typing import Any, Final

import structlog

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.adapter import (
    PersonUnreachable,
    PlatformAnswer,
    PlatformAway,
    PlatformListener,
)
from festinger.chat.bot_state import BotState
from festinger.chat.events import FILTER, FILTER_OF_ROOM, Event, read
from festinger.chat.homeserver import CallRefused, Homeserver
from festinger.chat.rooms import Rooms
from festinger.chat.wording import MARKS, heading, lines_of, text_of

log = structlog.get_logger(__name__)

SYNC_MILLISECONDS: Final = 30_000  # the homeserver answers then if nothing happened
SYNC_SECONDS_MAX: Final = 60.0
LOOK_BACK_SECONDS: Final = 4 * 86_400.0
"""How far back a bot without its state reads: longer than questions are open by default."""
PAGES_MAX: Final = 200  # of 100 events each
DIGEST_MARKS_MAX: Final = 8
"""The maximum number of a digest's questions that get reactions to click; all questions
can be answered with text."""
UNKNOWN_TOKEN: Final = 400  # the status


@dataclass(eq=False)
class Matrix:
    """Adapter for the bot's account on a homeserver.

    Args:
        user: The Matrix ID of the bot's account.
        bot_state: The persistent state of the bot.
        accounts: Returns the platform's accounts; called for each use.
        rooms: The IDs or aliases of the rooms to join.
        tenant: The tenant; question IDs are unique only within it.
    """

    platform = "matrix"
    routes = ()

    homeserver: Homeserver
    user: str
    bot_state: BotState
    accounts: Callable[[], PlatformAccounts]
    _: KW_ONLY
    rooms: Sequence[str] = ()
    now: Callable[[], float]
    tenant: str = "default"
    _rooms: Rooms = field(init=False)

    def __post_init__(self) -> None:
        self._rooms = Rooms(
            self.homeserver, self.user, self.bot_state, self.accounts, list(self.rooms)
        )

    async def start(self) -> None:
        """Open the session."""
        await self.homeserver.open()

    async def stop(self) -> None:
        """Close the session."""
        await self.homeserver.close()

    async def channels(self) -> Sequence[str]:
        """Return the rooms that the bot has joined, and their configured aliases."""
        return await self._rooms.channels()

    async def post(self, question: Question) -> str:
        """Post a question with three reactions to click."""
        return await self._send([question], MARKS)

    async def digest(self, questions: Sequence[Question]) -> str:
        """Post several questions in one message; `2 ✅` answers the second."""
        marks = [
            f"{line} {mark}"
            for line in range(1, min(len(questions), DIGEST_MARKS_MAX) + 1)
            # Two marks a line, to keep the row short: "not sure" is answered with text.
            for mark in MARKS[:2]
        ]
        return await self._send(questions, marks)

    async def update(self, questions: Sequence[Question]) -> None:
        """Edit the message of these questions."""
        room, _, event = questions[0].reference.rpartition("/")
        content = content_of(questions)
        edit = {
            # Clients that know no edits show the body, with a star in front.
            **content,
            "body": f"* {content['body']}",
            "m.new_content": content,
            "m.relates_to": {"rel_type": "m.replace", "event_id": event},
        }
        # A state is sent once: the same edit has the same transaction ID.
        state = sha256(edit["body"].encode()).hexdigest()[:16]
        await self._put(
            room, "m.room.message", f"{self._name(questions)}.{state}", edit
        )

    async def withdraw(self, question: Question) -> None:
        """Redact the message of a question."""
        room, _, event = question.reference.rpartition("/")
        name = f"{self._name([question])}.gone"
        path = ("rooms", room, "redact", event, name)
        try:
            await self.homeserver.put(*path, body={"reason": "not asked any more"})
        except CallRefused as error:
            raise PersonUnreachable(str(error)) from None

    async def notify(
        self, answer: PlatformAnswer, message: str, *, refused: bool
    ) -> None:
        """Send a notice if the answer came from a direct room; drop it otherwise."""
        # Others in the room must not read who answered what.
        if not message or not answer.place:
            return
        if not await self._rooms.is_in_person(answer.place, answer.account):
            return
        content = {"msgtype": "m.notice", "body": message, "m.mentions": {}}
        await self._put(
            answer.place, "m.room.message", f"{answer.delivery}.notice", content
        )

    async def run(self, on_answers: PlatformListener) -> None:
        """Sync with the homeserver and hand answers on until cancelled."""
        since = await self.bot_state.value("since")
        while True:
            response = await self._sync(since)
            rooms = response.get("rooms", {})
            # Joined first, as questions may be waiting for the room.
            for room, invitation in rooms.get("invite", {}).items():
                await self._rooms.invited(room, invitation)
            answers: list[PlatformAnswer] = []
            for room, news in rooms.get("join", {}).items():
                for event in await self._events(room, news.get("timeline", {}), since):
                    answers += await self._answers(room, event)
            since = text_of(response, "next_batch")
            # One transaction: the next sync begins where these answers end.
            await on_answers(answers, {"since": since})

    async def _sync(self, since: str) -> dict[str, Any]:
        # The first sync returns at once, with what is there.
        query = {"filter": FILTER, "timeout": str(SYNC_MILLISECONDS if since else 0)}
        if since:
            query["since"] = since
        try:
            return await self.homeserver.get(
                "sync", query=query, seconds=SYNC_SECONDS_MAX
            )
        except CallRefused as error:
            if since and error.status == UNKNOWN_TOKEN:
                # A homeserver with a restored database does not know the token: begin anew.
                await self.bot_state.set_value("since", "")
            raise PlatformAway(f"the homeserver gives no news: {error}") from None

    async def _events(
        self, room: str, timeline: Mapping[str, Any], since: str
    ) -> list[Event]:
        """Return the events of a room, oldest first, with those the sync left out."""
        events: list[Event] = list(timeline.get("events", ()))
        # "Limited" is a gap: more happened while the bot was away than a sync returns.
        if not timeline.get("limited"):
            return events
        oldest = 1000 * (self.now() - LOOK_BACK_SECONDS)
        query = {"dir": "b", "limit": "100", "filter": FILTER_OF_ROOM}
        if since:
            query["to"] = since
        start = text_of(timeline, "prev_batch")
        for _ in range(PAGES_MAX):
            query["from"] = start
            try:
                page = await self.homeserver.get("rooms", room, "messages", query=query)
            except CallRefused as error:
                log.warning("history_refused", room=room, problem=str(error))
                break
            chunk = page.get("chunk", [])
            # Pages go backwards in time, so each goes in front, reversed.
            events[:0] = reversed(chunk)
            start = text_of(page, "end")
            times = [it.get("origin_server_ts", 0) for it in chunk]
            # With a sync token, read the whole gap; without one, only the last days.
            if not start or not (since or not times or min(times) > oldest):
                break
        return events

    async def _answers(self, room: str, event: Event) -> list[PlatformAnswer]:
        """Return the answers of an event that refer to the bot's messages."""
        # Its own reactions are there to be clicked, and are no answers.
        if text_of(event, "sender") == self.user:
            return []
        content = read(room, event)
        if content.original:
            # An edit answers the same message as the event that it edits.
            before = await self.bot_state.by_delivery(content.original)
            return [content.about(before[0].answer.reference)] if before else []
        answers: list[PlatformAnswer] = []
        for answer in await self.bot_state.expanded(content.answers):
            # In a room with others only what refers to a message of the bot is meant for it.
            if answer.takes_back or answer.reference:
                ours = answer.takes_back or await self._asked_by_us(answer.reference)
            else:
                ours = await self._rooms.is_in_person(room, answer.account)
            if ours:
                answers.append(answer)
        return answers

    async def _asked_by_us(self, reference: str) -> bool:
        if await self.bot_state.posted_in(reference):
            return True
        # A bot that lost its state recognizes its messages by their sender.
        room, _, name = reference.rpartition("/")
        try:
            event = await self.homeserver.get("rooms", room, "event", name)
        except CallRefused:
            return False
        return text_of(event, "sender") == self.user

    async def _send(self, questions: Sequence[Question], marks: Sequence[str]) -> str:
        room = await self._rooms.of(questions[0])
        name = self._name(questions)
        event = await self._put(room, "m.room.message", name, content_of(questions))
        # Reactions are events of their own, which the homeserver may make us wait for.
        for mark in marks:
            relation = {"rel_type": "m.annotation", "event_id": event, "key": mark}
            content = {"m.relates_to": relation}
            await self._put(room, "m.reaction", f"{name}.{mark}", content)
        return f"{room}/{event}"

    async def _put(
        self, room: str, kind: str, name: str, content: Mapping[str, Any]
    ) -> str:
        """Send an event, with its name as transaction ID, and return its event ID."""
        try:
            sent = await self.homeserver.put(
                "rooms", room, "send", kind, name, body=content
            )
        except CallRefused as error:
            raise PersonUnreachable(f"nothing can be sent to {room}: {error}") from None
        return text_of(sent, "event_id")

    def _name(self, questions: Sequence[Question]) -> str:
        """Return the idempotency key of a message."""
        # The time tells questions apart whose numbers a new database gives out again.
        first = questions[0]
        made = f"{first.create_time.seconds}.{first.create_time.nanos}"
        return f"festinger.{self.tenant}.{first.digest_id}.{first.id}.{made}"


def content_of(questions: Sequence[Question]) -> dict[str, Any]:
    """Return the content of a message, as text and HTML, that mentions nobody."""
    texts, pages = [], []
    if len(questions) > 1:
        texts.append(heading(questions))
        pages.append(f"<p>{escape(texts[0])}</p>")
    for line, question in enumerate(questions, 1):
        number = f"{line}. " if len(questions) > 1 else ""
        first, *rest = lines_of(question) or [""]
        texts.append("\n".join([f"{number}{first}", *rest]))
        page = "<br>".join([f"<b>{escape(number + first)}</b>", *map(escape, rest)])
        if question.more_url:
            texts[-1] += f"\nMore: {question.more_url}"
            page += f'<br><a href="{escape(question.more_url)}">More info</a>'
        pages.append(f"<p>{page}</p>")
    return {
        "msgtype": "m.text",
        "body": "\n\n".join(texts),
        "format": "org.matrix.custom.html",
        "formatted_body": "".join(pages),
        # An empty list of mentions keeps words such as @room from alerting people.
        "m.mentions": {},
    }
