"""Parsers of the enriched wire formats.

Each turns the body of a request into a `ParsedPrompt`, or raises `ForwardUnchanged` with the
reason why the request must be forwarded unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from festinger.shim.recollection.segments import ParsedPrompt
from festinger.shim.wire import anthropic, generate, messages, responses
from festinger.shim.wire.unchanged import ForwardUnchanged

__all__ = ["ROUTES", "ForwardUnchanged", "Reader"]

Reader = Callable[[dict[str, Any]], ParsedPrompt]
"""Parser of the JSON object of a request; raises `ForwardUnchanged`."""

# Other routes, such as embeddings and changes of models, have no prompt to add to.
ROUTES: Mapping[str, Reader] = {
    "/api/chat": messages.read_chat,
    "/api/generate": generate.read,
    "/v1/chat/completions": messages.read_chat_completions,
    "/v1/completions": generate.read_completions,
    "/v1/responses": responses.read,
    "/v1/messages": anthropic.read,
}
"""The enriched routes, all of method POST."""
