"""Adapter for Slack: messages with three buttons, one of which is clicked.

Slack sends clicks to `POST /slack/interactive`, and reactions and messages to
`POST /slack/events`, both signed. While the bot is away, a click fails visibly.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import structlog
from aiohttp import web
from slack_sdk.signature import Clock, SignatureVerifier

from festinger.api.v1.validation_pb2 import Question
from festinger.chat import blocks
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.adapter import PersonUnreachable, PlatformAnswer, PlatformListener
from festinger.chat.bot_state import BotState
from festinger.chat.listener import problem
from festinger.chat.payloads import Payload, clicked, reaction, written
from festinger.chat.slack_api import SlackApi
from festinger.chat.wording import read_name, text_of
from festinger.core.validation.votes import EventResponse

log = structlog.get_logger(__name__)

CLOCKS_SECONDS: Final = 300
"""How much the clock of Slack may be behind that of the memory server, in seconds."""
CHANNELS_SECONDS: Final = 300.0
"""Seconds for which the list of channels is cached."""


class Slack:
    """Adapter for the app's bot in a workspace.

    Args:
        token: The bot token.
        signing_secret: The secret that Slack signs its requests with.
        api_url: The base URL of the Web API.
        bot_state: The persistent state of the bot.
        accounts: Returns the platform's accounts; called for each use.
        channels: The IDs of the channels to post to.
        tenant: The tenant; question IDs are unique only within it.
    """

    platform = "slack"

    def __init__(
        self,
        token: str,
        signing_secret: str,
        api_url: str,
        bot_state: BotState,
        accounts: Callable[[], PlatformAccounts],
        *,
        channels: Sequence[str] = (),
        now: Callable[[], float],
        tenant: str = "default",
    ) -> None:
        self._api = SlackApi(api_url, token)
        self._verifier = SignatureVerifier(signing_secret, _VerifierClock(now))
        self._bot_state = bot_state
        self._accounts = accounts
        self._wanted = tuple(channels)
        self._channels: Sequence[str] = ()
        self._listed = 0.0
        self._now = now
        self._tenant = tenant
        self._user = ""
        self._on_answers: PlatformListener | None = None

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes that Slack sends clicks and events to."""
        return [
            web.post("/slack/interactive", self._interactive),
            web.post("/slack/events", self._events),
        ]

    async def start(self) -> None:
        """Open the session."""
        await self._api.open()

    async def stop(self) -> None:
        """Close the session."""
        await self._api.close()

    async def channels(self) -> Sequence[str]:
        """Return the configured channels and those that the bot is a member of."""
        if self._now() - self._listed > CHANNELS_SECONDS:
            try:
                found = [
                    text_of(it, "id")
                    async for it in self._api.all("users.conversations", "channels")
                ]
            except PersonUnreachable as error:
                log.warning("channels_unknown", problem=str(error))
                # Without the permission to list channels, the configured ones are used.
                found = []
            self._channels = list(dict.fromkeys([*self._wanted, *found]))
            self._listed = self._now()
        return self._channels

    async def post(self, question: Question) -> str:
        """Post a question with three buttons."""
        return await self.digest([question])

    async def digest(self, questions: Sequence[Question]) -> str:
        """Post one or more questions in one message, each with its buttons."""
        channel = await self._place(questions[0])
        name = self._name(questions)
        # Slack does not deduplicate: what may have been posted before a kill is searched.
        began = f"posting:{name}"
        if await self._bot_state.value(began):
            since = questions[0].create_time.seconds
            if stamp := await self._posted_since(since, channel, name):
                return f"{channel}/{stamp}"
        # Before the call, so that a kill in between is known.
        else:
            await self._bot_state.set_value(began, channel)
        answer = await self._api.call(
            "chat.postMessage",
            channel=channel,
            text=blocks.fallback(questions),
            blocks=blocks.of(questions, name),
            # Links in a quoted sentence are not to be fetched and shown.
            unfurl_links=False,
            unfurl_media=False,
        )
        return f"{channel}/{text_of(answer, 'ts')}"

    async def update(self, questions: Sequence[Question]) -> None:
        """Update the message; closed questions have no buttons."""
        channel, _, stamp = questions[0].reference.rpartition("/")
        await self._api.call(
            "chat.update",
            channel=channel,
            ts=stamp,
            text=blocks.fallback(questions),
            blocks=blocks.of(questions, self._name(questions)),
        )

    async def withdraw(self, question: Question) -> None:
        """Delete the message of a question."""
        channel, _, stamp = question.reference.rpartition("/")
        await self._api.call("chat.delete", channel=channel, ts=stamp)

    async def notify(
        self, answer: PlatformAnswer, message: str, *, refused: bool
    ) -> None:
        """Post an ephemeral message, which only the author of the answer sees."""
        if message and answer.place:
            text = blocks.escaped(message)
            await self._api.call(
                "chat.postEphemeral",
                channel=answer.place,
                user=answer.account,
                text=text,
            )

    async def run(self, on_answers: PlatformListener) -> None:
        """Query missed reactions, then accept requests until cancelled."""
        # The bot's own reactions and messages are no answers.
        self._user = text_of(await self._api.call("auth.test"), "user_id")
        # Slack soon gives up repeating events, so reactions are looked up.
        for reference in await self._bot_state.open_references():
            await on_answers(await self._missed(reference))
        # From here on requests are taken; before, they are answered 503 and sent again.
        self._on_answers = on_answers
        try:
            await asyncio.Event().wait()
        finally:
            self._on_answers = None

    async def _missed(self, reference: str) -> list[PlatformAnswer]:
        """Return the reactions to a message that were added or removed while away."""
        # Without their times: those of one person count in the order of Slack's list.
        channel, _, stamp = reference.rpartition("/")
        try:
            answer = await self._api.call(
                "reactions.get", channel=channel, timestamp=stamp, full=True
            )
        except PersonUnreachable as error:
            log.warning("reactions_unknown", problem=str(error))
            return []
        there = [
            (user, text_of(it, "name"))
            for it in answer.get("message", {}).get("reactions", ())
            for user in it.get("users", ())
        ]
        known = await self._marks(reference)
        missed = [
            PlatformAnswer(
                # Without a time, so that a second look finds the same delivery.
                f"{reference}/{user}/{mark}",
                user,
                reference,
                channel,
                response=response,
                mark=mark,
            )
            for user, mark in there
            if (response := read_name(mark)) is not None
            and user != self._user
            and (user, mark) not in known
        ]
        gone = [
            PlatformAnswer(
                f"{delivery}/gone",
                user,
                reference,
                channel,
                response=EventResponse.WITHDRAWN,
                takes_back=delivery,
            )
            for (user, mark), delivery in known.items()
            if (user, mark) not in there
        ]
        return [*gone, *missed]  # withdrawn first

    async def _marks(self, reference: str) -> dict[tuple[str, str], str]:
        """Return the deliveries of a message's reactions by account and mark."""
        stored = await self._bot_state.by_reference(reference)
        gone = {it.answer.takes_back for it in stored}
        return {
            (it.answer.account, it.answer.mark): it.answer.delivery
            for it in stored
            if it.answer.mark and it.answer.delivery not in gone
        }

    async def _interactive(self, request: web.Request) -> web.Response:
        """Handle a click."""
        body = await request.read()  # as sent, since that is what is signed
        if refusal := self._refusal(request, body):
            return refusal
        form = await request.post()
        answer = clicked(str(form.get("payload", "")))
        await self._store([] if answer is None else [answer])
        return web.Response()

    async def _events(self, request: web.Request) -> web.Response:
        """Handle a reaction or a message."""
        body = await request.read()
        if refusal := self._refusal(request, body):
            return refusal
        try:
            payload = json.loads(body)
        except (ValueError, RecursionError):
            return problem(400, "the body must be a JSON object")
        # Slack asks once whether the address is ours.
        if text_of(payload, "type") == "url_verification":
            return web.json_response({"challenge": text_of(payload, "challenge")})
        await self._store(await self._read_event(payload))
        return web.Response()

    async def _read_event(self, payload: Payload) -> list[PlatformAnswer]:
        event = payload.get("event") if isinstance(payload, dict) else None
        delivery = text_of(payload, "event_id")
        # Also messages without a user, which apps and Slack itself send.
        if not delivery or text_of(event, "user") in {"", self._user}:
            return []
        found = reaction(event, delivery)
        if found is None:
            answers = written(event, delivery)
            return [
                it
                for it in await self._bot_state.expanded(answers)
                # In a channel only replies in a thread of the bot's are meant for it.
                if text_of(event, "channel_type") == "im"
                or await self._bot_state.posted_in(it.reference)
            ]
        standing = await self._marks(found.reference)
        before = standing.get((found.account, found.mark))
        # A reaction that was looked up at the start may be delivered as well.
        if found.response is not EventResponse.WITHDRAWN:
            return [] if before else [found]
        # Without the mark, which stands no more (`_marks`).
        return [replace(found, mark="", takes_back=before)] if before else []

    async def _store(self, answers: Sequence[PlatformAnswer]) -> None:
        if self._on_answers is None:  # not acknowledged, so that Slack sends it again
            raise web.HTTPServiceUnavailable(reason="the bot is starting")
        if answers:
            await self._on_answers(answers)

    def _refusal(self, request: web.Request, body: bytes) -> web.Response | None:
        """Return an error response unless Slack signed the request recently."""
        try:
            valid = self._verifier.is_valid_request(body, dict(request.headers))
        except (ValueError, TypeError):  # no timestamp, or one that is no number
            valid = False
        return None if valid else problem(401, "the signature is not Slack's, or old")

    async def _place(self, question: Question) -> str:
        """Return the channel of a question; the direct one for a single recipient."""
        if not question.recipient:
            return question.channel.removeprefix("slack:")
        account = self._accounts().account(question.recipient)
        if not account:
            raise PersonUnreachable(f"{question.recipient} has no account here")
        key = f"room:{account}"
        # A conversation with a person is opened once, and remembered.
        if room := await self._bot_state.value(key):
            return room
        answer = await self._api.call("conversations.open", users=account)
        room = text_of(answer, "channel", "id")
        await self._bot_state.set_value(key, room)
        return room

    async def _posted_since(self, seconds: int, channel: str, name: str) -> str:
        """Return the timestamp of a message by its name, or an empty string."""
        # No message is older than its question, however busy the channel is.
        oldest = str(seconds - CLOCKS_SECONDS)
        async for message in self._api.all(
            "conversations.history", "messages", channel=channel, oldest=oldest
        ):
            for block in message.get("blocks", ()):
                # The blocks' IDs carry the name of the message.
                if text_of(block, "block_id") == f"{name}.1":
                    return text_of(message, "ts")
        return ""

    def _name(self, questions: Sequence[Question]) -> str:
        # The time tells questions apart whose numbers a new database gives out again.
        first = questions[0]
        return (
            f"{self._tenant}.{first.digest_id}.{first.id}.{first.create_time.seconds}"
        )


class _VerifierClock(Clock):
    """Clock of the signature verifier."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now

    def now(self) -> float:
        """Return the time in seconds since the epoch."""
        return self._now()
