"""Insertion of one block into a body, which leaves the rest unchanged."""

from __future__ import annotations

from festinger.shim.recollection.jsontext import Body
from festinger.shim.recollection.segments import (
    BlockPosition,
    BodyPlace,
    ParsedPrompt,
    SystemTextCreation,
    without_leading_block,
)

_GAP = "\n\n"


def into_system(
    body: Body, prompt: ParsedPrompt, block: str, modelfile: str = ""
) -> bytes:
    """Return the body with a block at the head of the system text.

    A system text is created if there is none.

    Args:
        modelfile: The model's own SYSTEM, which a new system text would disable (D6).
    """
    if not isinstance(prompt.system, SystemTextCreation):
        # The client sends a system text, so the model's own is disabled anyway.
        return _at(body, prompt.system, block)
    return create(body, prompt.system, block, modelfile)


def into_newest_user(body: Body, prompt: ParsedPrompt, block: str) -> bytes | None:
    """Return the body with a block at the head of the newest user message.

    Returns:
        None if the prompt does not end with a user's message.
    """
    newest = prompt.newest_user
    if newest is None or newest.place is None:
        return None
    return _at(body, newest.place, block)


def _at(body: Body, place: BodyPlace | BlockPosition, block: str) -> bytes:
    if isinstance(place, BlockPosition):
        return into_list(body, place, block) or body.text.encode()
    old: str = body.at(place.path)
    before, after = old[: place.offset], old[place.offset :]
    # A client that stores what was sent returns the shim's own earlier block.
    after = without_leading_block(after)
    new = before + place.heading + block + (_GAP + after if after else "")
    return body.with_string(place.path, new)


def into_list(body: Body, slot: BlockPosition, block: str) -> bytes | None:
    """Return the body with a block in a list of content blocks.

    Args:
        block: The block; empty to remove the shim's block that is there.

    Returns:
        The changed body; None if no change is needed.
    """
    blocks = body.at(slot.path)
    # A block at this place is the shim's own that came back, and is replaced.
    here = blocks[slot.index].get("text") if slot.index < len(blocks) else None
    rest = without_leading_block(here) if isinstance(here, str) else None
    comes_back = rest != here
    # Ollama joins the texts without a separator.
    # Text after the block needs a gap, whether in this part or in the next.
    follows = rest or slot.index + comes_back < len(blocks)
    text = (_GAP if slot.index else "") + block + (_GAP if follows else "")
    new = (text if block else "") + (rest or "")
    if not comes_back:
        made = {"type": "text", "text": text}
        return body.with_element(slot.path, slot.index, made) if block else None
    # Unchanged bytes keep the client's escapes (D7).
    if new == here:
        return None
    if not new:
        # A part that held only the shim's block.
        return body.without_elements(slot.path, (slot.index,))
    return body.with_string((*slot.path, slot.index, "text"), new)


def create(
    body: Body, creation: SystemTextCreation, block: str, modelfile: str = ""
) -> bytes:
    """Return the body with a new system text: a block, and the model's own SYSTEM."""
    # The model's own SYSTEM is copied behind the block, as Ollama does not add it now.
    text = block + _GAP + modelfile if modelfile else block
    if creation.field:
        return body.with_value((creation.field,), text)
    return body.with_element(("messages",), 0, {"role": "system", "content": text})
