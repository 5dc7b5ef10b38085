"""POST /api/generate: one prompt, plain or flattened, and a `system` member."""

from __future__ import annotations

from typing import Any

from festinger.shim.recollection.flattened import is_flattened, sections, system_place
from festinger.shim.recollection.segments import (
    BodyPlace,
    ClientMessage,
    ParsedPrompt,
    SegmentRole,
    SystemTextCreation,
)
from festinger.shim.recollection.segments import read as read_segments
from festinger.shim.wire.unchanged import (
    ForwardUnchanged,
    check_count,
    check_keys,
    model_of,
    text_of,
)

_KNOWN = frozenset({"model", "prompt", "system", "raw", "suffix"})


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of a request.

    Raises:
        Untouched: The request must be forwarded unchanged.
    """
    check_keys(body, _KNOWN)
    model = model_of(body)
    prompt, system = text_of(body.get("prompt")), text_of(body.get("system"))
    if not prompt:
        raise ForwardUnchanged("empty")  # loads or unloads the model
    if body.get("raw"):
        raise ForwardUnchanged("raw")  # with a system text Ollama answers 400
    # Completion in the middle of a code: its template knows no conversation.
    if body.get("suffix"):
        raise ForwardUnchanged("suffix")
    if is_flattened(prompt):
        return read_flattened(model, prompt, system)
    spoken = ClientMessage(SegmentRole.USER, prompt, BodyPlace(("prompt",)))
    place = BodyPlace(("system",)) if system else SystemTextCreation(field="system")
    return ParsedPrompt(model, tuple(read_segments([*_field(system), spoken])), place)


def read_flattened(model: str, prompt: str, system: str = "") -> ParsedPrompt:
    """Return the parsed prompt of a flattened conversation.

    Args:
        prompt: The flattened prompt, which begins with a section's heading.
        system: The `system` member of the request; empty if there is none.

    Raises:
        Untouched: It has too many sections.
    """
    messages = sections(prompt)
    check_count(messages)
    # Ollama puts the member before the prompt, so it is the start of the system text.
    place = BodyPlace(("system",)) if system else system_place(messages)
    segments = read_segments([*_field(system), *messages], flattened=True)
    return ParsedPrompt(model, tuple(segments), place)


def _field(system: str) -> list[ClientMessage]:
    return (
        [ClientMessage(SegmentRole.SYSTEM, system, BodyPlace(("system",)))]
        if system
        else []
    )
