"""/api/generate and /v1/completions: one prompt, plain or flattened."""

from __future__ import annotations

from typing import Any

from festinger.shim.recollection.flattened import is_flattened, sections, system_place
from festinger.shim.recollection.segments import (
    BodyPlace,
    ClientMessage,
    ParsedPrompt,
    SegmentRole,
    SystemPlace,
    SystemTextCreation,
    read_segments,
)
from festinger.shim.wire.unchanged import (
    ForwardUnchanged,
    check_count,
    model_of,
    text_of,
)

_KNOWN = frozenset({"model", "prompt", "suffix"})


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of `/api/generate`."""
    return _read(body, _KNOWN | {"system", "raw"})


def read_completions(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of `/v1/completions`, which has no system text."""
    return _read(body, _KNOWN)


def _read(body: dict[str, Any], known: frozenset[str]) -> ParsedPrompt:
    model = model_of(body, known)
    # Ollama accepts no list of prompts, and ignores a `system` of `/v1/completions`.
    prompt, can_have_system = text_of(body.get("prompt")), "system" in known
    system = text_of(body.get("system")) if can_have_system else ""
    if not prompt:
        raise ForwardUnchanged("empty")  # loads or unloads the model
    # To a raw prompt with a system text Ollama answers 400. A suffix: completion in the
    # middle of a code, whose template knows no conversation.
    for key in ("raw", "suffix"):
        if key in known and body.get(key):
            raise ForwardUnchanged(key)
    # LiteLLM's layout is a conversation, whichever of the two routes it is sent to.
    if is_flattened(prompt):
        return _read_flattened(model, prompt, system)
    here = BodyPlace(("prompt",))
    place: SystemPlace = here
    if can_have_system:
        place = BodyPlace(("system",)) if system else SystemTextCreation(field="system")
    spoken = ClientMessage(SegmentRole.USER, prompt, here)
    return ParsedPrompt(model, read_segments([*_field(system), spoken]), place)


def _read_flattened(model: str, prompt: str, system: str) -> ParsedPrompt:
    messages = sections(prompt)
    check_count(messages)
    # Ollama puts the member before the prompt, so it is the start of the system text.
    place = BodyPlace(("system",)) if system else system_place(messages)
    segments = read_segments([*_field(system), *messages], flattened=True)
    return ParsedPrompt(model, segments, place)


def _field(system: str) -> list[ClientMessage]:
    place = BodyPlace(("system",))
    return [ClientMessage(SegmentRole.SYSTEM, system, place)] if system else []
