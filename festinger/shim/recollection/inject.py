"""Puts a block into a body, and changes nothing else of it."""

from __future__ import annotations

from festinger.shim.recollection.jsontext import Body
from festinger.shim.recollection.segments import (
    BodyPlace,
    Creation,
    ParsedPrompt,
    Slot,
    without_leading_block,
)

_GAP = "\n\n"


def into_system(
    body: Body, prompt: ParsedPrompt, block: str, modelfile: str = ""
) -> bytes:
    """Puts a block at the head of the system text, made if there is none.

    Args:
        body: The request.
        prompt: What it says.
        block: What is told.
        modelfile: The model's own SYSTEM, which a new system text would switch off
            and which is therefore kept after the block (D6).
    """
    if not isinstance(prompt.system, Creation):
        return _at(body, prompt.system, block)
    return create(body, prompt.system, block, modelfile)


def into_newest_user(body: Body, prompt: ParsedPrompt, block: str) -> bytes | None:
    """Puts a block at the head of the newest user message.

    Returns:
        The changed body; None if the prompt does not end with a user's message, as
        after a tool's result.
    """
    newest = prompt.newest_user
    if newest is None or newest.place is None:
        return None
    return _at(body, newest.place, block)


def _at(body: Body, place: BodyPlace | Slot, block: str) -> bytes:
    if isinstance(place, Slot):
        return into_list(body, place, block) or body.text.encode()
    old: str = body.at(place.path)
    before, after = old[: place.offset], old[place.offset :]
    # A client that stores what was sent brings our own earlier block back.
    after = without_leading_block(after)
    new = before + place.heading + block + (_GAP + after if after else "")
    return body.with_string(place.path, new)


def into_list(body: Body, slot: Slot, block: str) -> bytes | None:
    """Has a block, or none of ours, stand in a list.

    Returns:
        The changed body; None if it is so already.
    """
    blocks = body.at(slot.path)
    here = blocks[slot.index].get("text") if slot.index < len(blocks) else None
    rest = without_leading_block(here) if isinstance(here, str) else None
    comes_back = rest != here
    # The model reads the texts joined, with nothing between them.
    follows = rest or slot.index + comes_back < len(blocks)
    text = (_GAP if slot.index else "") + block + (_GAP if follows else "")
    new = (text if block else "") + (rest or "")
    if not comes_back:
        made = {"type": "text", "text": text}
        return body.with_element(slot.path, slot.index, made) if block else None
    if new == here:
        return None
    if not new:
        return body.without_elements(slot.path, (slot.index,))
    return body.with_string((*slot.path, slot.index, "text"), new)


def create(body: Body, creation: Creation, block: str, modelfile: str = "") -> bytes:
    """Makes a system text of a block, and of the model's own SYSTEM after it."""
    text = block + _GAP + modelfile if modelfile else block
    if creation.field:
        return body.with_member(creation.field, text)
    return body.with_element(("messages",), 0, {"role": "system", "content": text})
