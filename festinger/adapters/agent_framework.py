"""A context provider for the Microsoft Agent Framework.

memory = AgentMemory(Client(project="shop"))
agent = Agent(client, context_providers=[FestingerContextProvider(memory)])
"""

from __future__ import annotations

import asyncio
from typing import Any

from agent_framework import AgentSession, ContextProvider, SessionContext

from festinger.adapters.memory import AgentMemory

# Key in the session's state, which the framework stores with the session.
STATE_TYPED = "typed"
TYPED_MAX = 16
"""Earlier messages of a conversation that help to understand the newest."""


class FestingerContextProvider(ContextProvider):
    """Adds what the memory has for the newest message to the instructions.

    The memory learns from what the person typed. What contradicts is not held: the
    memory's `on_contradiction` is called, and the model is told both.

    Args:
        memory: The memory.
        source_id: Names the provider.
    """

    def __init__(self, memory: AgentMemory, source_id: str = "festinger") -> None:
        super().__init__(source_id)
        self._memory = memory

    async def before_run(
        self,
        *,
        agent: Any,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        """Add what is known about the messages that are sent."""
        typed = [it.text for it in context.input_messages if it.role == "user"]
        earlier: list[str] = state.setdefault(STATE_TYPED, [])
        for text in filter(None, typed):
            # The client blocks, and the framework's event loop must not.
            found = await asyncio.to_thread(
                self._memory.recollect,
                text,
                earlier=earlier,
                session=session.session_id,
            )
            # Within the loop: it is earlier for the next message of the same run.
            earlier.append(text)
            if found.block:
                context.extend_instructions(self.source_id, found.block)
        del earlier[:-TYPED_MAX]
