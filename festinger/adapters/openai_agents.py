"""A session and an input filter for the OpenAI Agents SDK.

memory = AgentMemory(Client(project="shop"))
session = FestingerSession(SQLiteSession("chat-1"), memory)
config = RunConfig(call_model_input_filter=input_filter(memory, "chat-1"))
await Runner.run(agent, "...", session=session, run_config=config)
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from agents.memory import SessionABC
from agents.run_config import CallModelData, ModelInputData

from festinger.adapters.memory import AgentMemory


class FestingerSession(SessionABC):
    """A session whose messages teach the shared memory.

    The history itself stays in another session: it is the conversation's alone, and what
    is known of it is everybody's. What contradicts is not held: the memory's
    `on_contradiction` is called.

    Args:
        history: Keeps the items, such as a `SQLiteSession`.
        memory: The memory.
    """

    def __init__(self, history: SessionABC, memory: AgentMemory) -> None:
        self.session_id = history.session_id
        self.session_settings = history.session_settings
        self._history = history
        self._memory = memory

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the newest items, the oldest of them first."""
        return await self._history.get_items(limit)

    async def add_items(self, items: list[Any]) -> None:
        """Add items, and have the memory learn from what the person typed."""
        # What was typed before these items.
        former = _typed(await self._history.get_items())
        await self._history.add_items(items)
        # Afterwards, so that a memory that fails does not lose the items.
        for text in _typed(items):
            await asyncio.to_thread(
                self._memory.recollect, text, earlier=former, session=self.session_id
            )
            former.append(text)

    async def pop_item(self) -> Any:
        """Remove the newest item, and return it; what was learned from it stays."""
        return await self._history.pop_item()

    async def clear_session(self) -> None:
        """Remove all items; what was learned from them stays."""
        await self._history.clear_session()


def input_filter(
    memory: AgentMemory, session: str = ""
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """Return a filter that adds what the memory has for the newest message.

    It goes to the end of the instructions. The memory learns from the message, once.

    Args:
        session: Names the conversation.
    """

    async def filtered(data: CallModelData[Any]) -> ModelInputData:
        """Return the model's input with the block at the end of its instructions."""
        given = data.model_data
        typed = _typed(given.input)
        if not typed:
            return given
        found = await asyncio.to_thread(
            memory.recollect, typed[-1], earlier=typed[:-1], session=session
        )
        # Behind the instructions, so that their cached beginning stays the same.
        parts = filter(None, (given.instructions, found.block))
        return ModelInputData(given.input, "\n\n".join(parts) or None)

    return filtered


def _typed(items: list[Any]) -> list[str]:
    """Return what the person typed, the oldest first."""
    typed = (it for it in items if isinstance(it, dict) and it.get("role") == "user")
    return list(filter(None, map(_text, typed)))


def _text(item: dict[str, Any]) -> str:
    content: Any = item.get("content")
    # Images and files have no text.
    if isinstance(content, list):
        return "\n".join(it["text"] for it in content if it.get("text"))
    return str(content or "")
