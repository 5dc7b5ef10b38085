"""A hook for the LiteLLM proxy: what is known for a prompt goes into it.

In a file `festinger_hook.py` beside the proxy's configuration:

    hook = FestingerHook(AgentMemory(Client.from_environment()))

and in the configuration: `litellm_settings: {callbacks: festinger_hook.hook}`
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litellm.integrations.custom_logger import CustomLogger  # type: ignore[import-not-found, unused-ignore]

from festinger.adapters.memory import AgentMemory

CALL_TYPES: Final = frozenset({"completion", "acompletion"})
"""Calls with messages; others are passed through."""


class FestingerHook(CustomLogger):
    """Puts what the memory has for the newest message into the system message.

    The memory learns from what the person typed, once for each message. What contradicts
    is not held: the memory's `on_contradiction` is called, and the model is told both.

    Args:
        memory: The memory.
        person_of_user: Whether the request's `user`, or the key's end user, is whom the
            conversation is with. The memory's client then needs a trusted token.
    """

    def __init__(self, memory: AgentMemory, *, person_of_user: bool = False) -> None:
        super().__init__()
        self._memory = memory
        self._person_of_user = person_of_user

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Return the request with what the memory has for it."""
        messages = data.get("messages")
        if call_type not in CALL_TYPES or not isinstance(messages, list):
            return data
        # The proxy serves any client, so roles are all that tells who typed.
        typed = [_text(it) for it in messages if it.get("role") == "user"]
        if not typed or not typed[-1]:
            return data
        memory = self._memory
        person = data.get("user") or getattr(user_api_key_dict, "end_user_id", None)
        # Off by default: a request's own word would tell whom the conversation is with.
        if self._person_of_user and person:
            memory = memory.scoped(person=str(person))
        # Clients may send `metadata: null`.
        session = str((data.get("metadata") or {}).get("session_id") or "")
        found = await asyncio.to_thread(
            memory.recollect, typed[-1], earlier=typed[:-1], session=session
        )
        if found.block:
            data["messages"] = _with_block(messages, found.block)
        return data


def _with_block(messages: list[dict[str, Any]], block: str) -> list[dict[str, Any]]:
    """Return messages whose first system message ends with a block."""
    first = messages[0]
    # Models with a developer role have no system message.
    if first.get("role") not in ("system", "developer"):
        return [{"role": "system", "content": block}, *messages]
    content = first.get("content") or ""
    added: Any = (
        [*content, {"type": "text", "text": block}]
        if isinstance(content, list)
        else f"{content}\n\n{block}".strip()
    )
    return [{**first, "content": added}, *messages[1:]]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(it["text"] for it in content if it.get("type") == "text")
    return str(content or "")
