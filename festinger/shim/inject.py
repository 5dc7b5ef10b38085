"""Puts a block into a body, and changes nothing else of it."""

from __future__ import annotations

from festinger.shim.jsontext import Body
from festinger.shim.segments import Creation, Place, Prompt, without_leading_block

_GAP = "\n\n"


def into_system(body: Body, prompt: Prompt, block: str, modelfile: str = "") -> bytes:
    """Puts a block at the head of the system text, made if there is none.

    Args:
        body: The request.
        prompt: What it says.
        block: What is told.
        modelfile: The model's own SYSTEM, which a new system text would switch off
            and which is therefore kept after the block (D6).
    """
    if isinstance(prompt.system, Place):
        return _at(body, prompt.system, block)
    return create(body, prompt.system, block, modelfile)


def into_newest_user(body: Body, prompt: Prompt, block: str) -> bytes | None:
    """Puts a block at the head of the newest user message.

    Returns:
        The changed body; None if the prompt does not end with a user's message, as
        after a tool's result.
    """
    newest = prompt.newest_user
    if newest is None or newest.place is None:
        return None
    return _at(body, newest.place, block)


def _at(body: Body, place: Place, block: str) -> bytes:
    old: str = body.at(place.path)
    before, after = old[: place.offset], old[place.offset :]
    # A client that stores what was sent brings our own earlier block back.
    after = without_leading_block(after)
    new = before + place.heading + block + (_GAP + after if after else "")
    return body.with_string(place.path, new)


def create(body: Body, creation: Creation, block: str, modelfile: str = "") -> bytes:
    """Makes a system text of a block, and of the model's own SYSTEM after it."""
    text = block + _GAP + modelfile if modelfile else block
    if creation.field:
        return body.with_member(creation.field, text)
    return body.with_first_element(("messages",), {"role": "system", "content": text})
