"""POST /v1/completions: one prompt, plain or flattened, without a system text."""

from __future__ import annotations

from typing import Any

from festinger.shim.recollection.flattened import is_flattened
from festinger.shim.recollection.segments import (
    BodyPlace,
    ClientMessage,
    ParsedPrompt,
    SegmentRole,
)
from festinger.shim.recollection.segments import read as read_segments
from festinger.shim.wire.generate import read_flattened
from festinger.shim.wire.unchanged import (
    ForwardUnchanged,
    check_keys,
    model_of,
    text_of,
)

_KNOWN = frozenset({"model", "prompt", "suffix"})


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of a request.

    Raises:
        Untouched: The request must be forwarded unchanged.
    """
    check_keys(body, _KNOWN)
    model = model_of(body)
    prompt = text_of(body.get("prompt"))  # Ollama does not accept a list of prompts
    if not prompt:
        raise ForwardUnchanged("empty")
    if body.get("suffix"):
        raise ForwardUnchanged("suffix")
    # LiteLLM's layout is a conversation, whichever of the two routes it is sent to.
    if is_flattened(prompt):
        return read_flattened(model, prompt)
    place = BodyPlace(("prompt",))  # a `system` would be ignored
    segments = read_segments([ClientMessage(SegmentRole.USER, prompt, place)])
    return ParsedPrompt(model, tuple(segments), place)
