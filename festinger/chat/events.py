"""Conversion of the events of Matrix rooms to answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from festinger.chat.adapter import PlatformAnswer
from festinger.chat.wording import read_answers, read_mark, read_wish, text_of
from festinger.core.validation.votes import EventResponse

Event = Mapping[str, Any]

# Members of a room choose what events hold: any field may be missing, of another type
# or huge.
TEXT_LENGTH_MAX: Final = 4000
TYPES: Final = ("m.room.message", "m.reaction", "m.room.redaction")
_NOTHING: Final[dict[str, Any]] = {"types": []}
FILTER: Final = json.dumps(
    {
        "presence": _NOTHING,
        "account_data": _NOTHING,
        "room": {
            "account_data": _NOTHING,
            "ephemeral": _NOTHING,
            "state": _NOTHING,
            "timeline": {"limit": 50, "types": TYPES},
        },
    }
)
"""The filter of a sync: only the events that may be answers."""
FILTER_OF_ROOM: Final = json.dumps({"types": TYPES})
"""The filter of a room's history, with the same types of events."""


class EventContent(NamedTuple):
    """Answers of an event.

    Attributes:
        answers: The answers; empty if the event is none.
        original: The event that this one edits; empty for others. The edited event
            determines the message that is answered.
    """

    answers: Sequence[PlatformAnswer] = ()
    original: str = ""

    def about(self, reference: str) -> PlatformAnswer:
        """Return the first answer, with a message that it refers to."""
        return replace(self.answers[0], reference=reference)


def read(room: str, event: Event) -> EventContent:
    """Return the answers of an event; empty if it has none."""
    name, account = text_of(event, "event_id"), text_of(event, "sender")
    if not name or not account:
        return EventContent()
    match text_of(event, "type"):
        case "m.reaction":
            return _reaction(room, event, name, account)
        case "m.room.message":
            return _message(room, event, name, account)
        case "m.room.redaction":
            # The field depends on the version of the room.
            redacted = text_of(event, "redacts") or text_of(event, "content", "redacts")
            if redacted:
                answer = PlatformAnswer(
                    name,
                    account,
                    place=room,
                    response=EventResponse.WITHDRAWN,
                    takes_back=redacted,
                )
                return EventContent([answer])
    return EventContent()


def _reaction(room: str, event: Event, name: str, account: str) -> EventContent:
    relation = ("content", "m.relates_to")
    target = text_of(event, *relation, "event_id")
    mark = text_of(event, *relation, "key")
    # Cut first: a reaction may be any text, and is stored.
    worded = read_mark(mark[:20])
    if worded is None or text_of(event, *relation, "rel_type") != "m.annotation":
        return EventContent()
    answer = PlatformAnswer(
        name,
        account,
        f"{room}/{target}",
        room,
        line=worded.line,
        response=worded.response,
        mark=mark[:20],
    )
    return EventContent([answer])


def _message(room: str, event: Event, name: str, account: str) -> EventContent:
    relation = ("content", "m.relates_to")
    content: tuple[str, ...] = ("content",)
    original = ""
    # An edit has the new text in a place of its own, beside a fallback for old clients.
    if text_of(event, *relation, "rel_type") == "m.replace":
        original = text_of(event, *relation, "event_id")
        content = ("content", "m.new_content")
    if text_of(event, *content, "msgtype") != "m.text":
        return EventContent()  # bots send `m.notice`, which must not answer each other
    target = text_of(event, *relation, "m.in_reply_to", "event_id")
    text = _without_quote(text_of(event, *content, "body")[:TEXT_LENGTH_MAX])
    reference = f"{room}/{target}" if target else ""
    # Wishes are not edited: `stop` counted when it was sent.
    if (wish := read_wish(text)) is not None and not original:
        answer = PlatformAnswer(name, account, reference, room, opts_out=wish)
        return EventContent([answer])
    answers = read_answers(text, name, account, reference, room)
    # One answer is replaced by one; several could not be told apart.
    if original and len(answers) != 1:
        return EventContent()
    return EventContent(answers, original)


def _without_quote(body: str) -> str:
    """Remove the leading quote of the original message from the body of a reply."""
    # Clients put the text that is answered in front, as `> <@bot:example.org> Is it …`.
    lines = body.splitlines()
    while lines and lines[0].startswith("> "):
        lines.pop(0)
    return "\n".join(lines).strip()
