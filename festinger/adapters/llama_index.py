"""A memory block for LlamaIndex.

block = FestingerMemoryBlock(memory=AgentMemory(Client(project="shop")))
memory = Memory.from_defaults(session_id="chat-1", memory_blocks=[block])
"""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock

from festinger.adapters.memory import AgentMemory


class FestingerMemoryBlock(BaseMemoryBlock[str]):
    """Holds what the shared memory has for the newest message that a person typed.

    The memory learns from messages when they are asked about, and from those that leave
    the short-term memory; from each once, and equal ones of a conversation are one. What
    contradicts is not held: the memory's `on_contradiction` is called, and the model is
    told both.

    Attributes:
        memory: The memory.
        session: Names the conversation.
    """

    name: str = "shared_memory"
    memory: AgentMemory
    session: str = ""

    async def _aget(
        self, messages: list[ChatMessage] | None = None, **block_kwargs: Any
    ) -> str:
        typed = _typed(messages or [])
        session = block_kwargs.get("session_id")
        return await self._recollect(typed, session) if typed else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        # Those that leave the short-term memory, which puts the session into each.
        session = messages[0].additional_kwargs.get("session_id") if messages else None
        typed = _typed(messages)
        for end in range(1, len(typed) + 1):
            await self._recollect(typed[:end], session)

    async def _recollect(self, typed: list[str], session: str | None) -> str:
        """Return what is known for the last of some messages, and learn from it."""
        # The client blocks, and the framework's event loop must not.
        found = await asyncio.to_thread(
            self.memory.recollect,
            typed[-1],
            earlier=typed[:-1],
            session=session or self.session,
            # The short-term memory is a window, whose beginning moves.
            windowed=True,
        )
        return found.block

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Drop the block: without it the prompt is as the person typed it."""
        return None


def _typed(messages: list[ChatMessage]) -> list[str]:
    return [it.content for it in messages if it.role == MessageRole.USER and it.content]
