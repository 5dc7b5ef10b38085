"""Conversion of the payloads of Slack to answers."""

from __future__ import annotations

import json
from typing import Any

from festinger.chat.adapter import PlatformAnswer
from festinger.chat.blocks import ACTION
from festinger.chat.wording import (
    RESPONSES,
    read_answers,
    read_name,
    read_wish,
    text_of,
)
from festinger.core.validation.votes import EventResponse

Payload = Any


def clicked(text: str) -> PlatformAnswer | None:
    """Return the answer of a click, or None if another button was clicked."""
    # Users of the workspace choose much of the content, so that nothing is taken for sure.
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if text_of(payload, "type") != "block_actions":
        return None
    action = _first(payload.get("actions"))
    # The button's ID is `festinger.LINE.OPTION`; "More info" has another name.
    kind, *numbers = text_of(action, "action_id").split(".")
    channel = text_of(payload, "container", "channel_id")
    stamp = text_of(payload, "container", "message_ts")
    user = text_of(payload, "user", "id")
    when = text_of(action, "action_ts")
    digits = [int(it) for it in numbers if it.isascii() and it.isdigit()]
    if kind != ACTION or len(digits) != 2 or not all((channel, stamp, user, when)):
        return None
    line, option = digits
    if option >= len(RESPONSES):
        return None
    reference = f"{channel}/{stamp}"
    return PlatformAnswer(
        # Slack repeats a click that was not acknowledged, with the same time.
        f"{reference}/{user}/{when}",
        user,
        reference,
        channel,
        line=line,
        response=RESPONSES[option],
    )


def reaction(event: Payload, delivery: str) -> PlatformAnswer | None:
    """Return the answer of a reaction event; None for other events and reactions."""
    kind = text_of(event, "type")
    if kind not in {"reaction_added", "reaction_removed"}:
        return None
    name = text_of(event, "reaction")
    response = read_name(name)
    if response is None:
        return None
    channel = text_of(event, "item", "channel")
    return PlatformAnswer(
        delivery,
        text_of(event, "user"),
        f"{channel}/{text_of(event, 'item', 'ts')}",
        channel,
        # A removed reaction takes back what it said.
        response=response if kind == "reaction_added" else EventResponse.WITHDRAWN,
        mark=name,
    )


def written(event: Payload, delivery: str) -> list[PlatformAnswer]:
    """Return the answers of a message; in a thread, they refer to its first message."""
    # Messages with a subtype are no new text of a person: edits, joins, uploads.
    if text_of(event, "type") != "message" or text_of(event, "subtype"):
        return []
    account, channel = text_of(event, "user"), text_of(event, "channel")
    text, thread = text_of(event, "text"), text_of(event, "thread_ts")
    if text_of(event, "bot_id") or not account or not channel:
        return []
    # A reply carries the time of the first message of its thread, which is its name.
    reference = f"{channel}/{thread}" if thread else ""
    if (wish := read_wish(text)) is not None:
        return [PlatformAnswer(delivery, account, reference, channel, opts_out=wish)]
    return read_answers(text, delivery, account, reference, channel)


def _first(values: Any) -> Any:
    return values[0] if isinstance(values, list) and values else None
