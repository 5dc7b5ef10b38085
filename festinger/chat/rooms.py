"""Matrix rooms of the bot: joined rooms, and direct rooms with single people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.adapter import PersonUnreachable
from festinger.chat.bot_state import BotState
from festinger.chat.homeserver import CallRefused, Homeserver
from festinger.chat.wording import text_of

log = structlog.get_logger(__name__)

# Whoever is invited later does not read what was asked before.
_SINCE_INVITED = {
    "type": "m.room.history_visibility",
    "state_key": "",
    "content": {"history_visibility": "invited"},
}


@dataclass(eq=False)
class Rooms:
    """Rooms of the bot.

    Args:
        user: The Matrix ID of the bot's account.
        wanted: The IDs or aliases of the rooms to join.
    """

    homeserver: Homeserver
    user: str
    bot_state: BotState
    accounts: Callable[[], PlatformAccounts]
    wanted: list[str]
    _ids: dict[str, str] = field(default_factory=dict, init=False)

    async def channels(self) -> Sequence[str]:
        """Return the joined rooms, and the configured rooms and aliases among them."""
        # Each is tried once: a later invitation makes the bot join all the same.
        while self.wanted:
            try:
                await self._join(self.wanted[0])
            except PersonUnreachable as error:
                log.warning("not_joined", problem=str(error))
            # Behind the attempt: if the homeserver is away, the room stays on the list.
            self.wanted.pop(0)
        joined = (await self.homeserver.get("joined_rooms")).get("joined_rooms", ())
        return list(dict.fromkeys([*joined, *self._ids]))

    async def of(self, question: Question) -> str:
        """Return the room of a question. Raises `PersonUnreachable`."""
        if question.recipient:
            room = await self._room_of(question.recipient)
        else:
            # A channel may be an alias, `#team:example.org`, which joining resolves.
            channel = question.channel.removeprefix("matrix:")
            room = self._ids.get(channel) or await self._join(channel)
        # The bot has no keys: nobody could read it there.
        if await self._is_encrypted(room):
            raise PersonUnreachable(f"{room} is encrypted, where the bot cannot ask")
        return room

    async def is_in_person(self, room: str, account: str) -> bool:
        """Return whether a room has no members but the bot and an account."""
        return await self._members(room) == {self.user, account}

    async def _room_of(self, principal: str) -> str:
        """Return the direct room with a person; created for the first question."""
        account = self.accounts().account(principal)
        if not account:
            raise PersonUnreachable(f"{principal} has no account here")
        key = f"room:{account}"
        room = await self.bot_state.value(key)
        # Any further member would read questions that are meant for this person only.
        if room and await self._members(room) <= {self.user, account}:
            if await self._has_left(room, account):
                raise PersonUnreachable(f"{account} has left the room with the bot")
            return room
        body = {
            "invite": [account],
            "is_direct": True,
            "preset": "trusted_private_chat",
            "initial_state": [_SINCE_INVITED],
            "name": "Festinger",
            "topic": 'Say "stop" not to be asked, and "start" to be asked again.',
        }
        try:
            made = await self.homeserver.post("createRoom", body=body)
        except CallRefused as error:
            raise PersonUnreachable(f"{account} cannot be invited: {error}") from None
        room = text_of(made, "room_id")
        await self.bot_state.set_value(key, room)
        return room

    async def _members(self, room: str) -> set[str]:
        """Return the members of a room; empty if the bot is not in it."""
        try:
            answer = await self.homeserver.get("rooms", room, "joined_members")
        except CallRefused:
            return set()
        return set(answer.get("joined", ()))

    async def _has_left(self, room: str, account: str) -> bool:
        path = ("rooms", room, "state", "m.room.member", account)
        try:
            member = await self.homeserver.get(*path)
        except CallRefused:
            return True  # not even invited
        return text_of(member, "membership") not in {"join", "invite"}

    async def _is_encrypted(self, room: str) -> bool:
        try:
            await self.homeserver.get("rooms", room, "state", "m.room.encryption", "")
        except CallRefused as error:
            # A room without this state is not encrypted; any other refusal leaves it open.
            if error.code == "M_NOT_FOUND":
                return False
            raise PersonUnreachable(f"the bot is not in {room}: {error}") from None
        return True

    async def _join(self, room: str) -> str:
        try:
            joined = await self.homeserver.post("join", room, body={})
        except CallRefused as error:
            raise PersonUnreachable(f"the bot may not enter {room}: {error}") from None
        self._ids[room] = text_of(joined, "room_id")
        return self._ids[room]

    async def invited(self, room: str, invitation: Mapping[str, Any]) -> None:
        """Join a room if a person of the configuration invites the bot."""
        # The invitation itself is the event about the bot; others come along with it.
        events = invitation.get("invite_state", {}).get("events", ())
        inviters = {
            text_of(it, "sender")
            for it in events
            if text_of(it, "state_key") == self.user
        }
        # Strangers must not pull the bot into rooms where they read what it asks.
        if any(map(self.accounts().is_known, inviters)):
            try:
                await self._join(room)
            except PersonUnreachable as error:
                log.warning("not_joined", problem=str(error))
