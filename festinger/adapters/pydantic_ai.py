"""A capability for Pydantic AI: what is known, and tools to look it up and to tell.

memory = AgentMemory(Client(project="shop"))
agent = Agent(model, capabilities=[FestingerCapability(memory)])
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.toolsets import FunctionToolset

from festinger.adapters.memory import AgentMemory, ContradictionError


@dataclass
class FestingerCapability(AbstractCapability[Any]):
    """Adds what the memory has for the newest prompt to the instructions.

    The memory learns from what the person typed, once for each prompt. The tools `recall`
    and `remember` look things up and tell them; a contradiction comes back to the model
    as what to ask the person about.

    Attributes:
        memory: The memory.
        session: Names the conversation.
        tools: Whether the model gets the tools.
    """

    memory: AgentMemory
    session: str = ""
    tools: bool = True

    def get_instructions(self) -> Any:
        """Return the function that finds what is known for a run."""
        # A function, since instructions are made anew for each run.
        return self._block

    def get_toolset(self) -> FunctionToolset[Any] | None:
        """Return the tools."""
        return FunctionToolset([self.recall, self.remember]) if self.tools else None

    async def recall(self, query: str, limit: int = 10) -> list[dict[str, str]]:
        """Look up what is remembered about some words.

        Args:
            query: Words to look for.
            limit: At most so many lines.
        """
        found = await asyncio.to_thread(self.memory.search, query, limit)
        return [{"text": it.text, **it.provenance} for it in found]

    async def remember(self, text: str) -> str:
        """Store a fact or a sentence that will matter later.

        Args:
            text: One or more plain sentences. Example: Shop runs on port 8080.
        """
        try:
            told = await asyncio.to_thread(self.memory.tell, text)
        except ContradictionError as error:
            # The model sees the text, and can ask the person instead of repeating itself.
            raise ModelRetry(f"{error}. Do not repeat it; ask the person.") from error
        kept = [*told.facts, *(it.quote for it in told.lines)]
        return "\n".join([*map("kept: {}".format, kept), *told.waiting, *told.left_out])

    async def _block(self, ctx: RunContext[Any]) -> str:
        typed = [
            part.content
            for message in ctx.messages
            if isinstance(message, ModelRequest)
            for part in message.parts
            # Prompts of several parts, such as images, are left out.
            if isinstance(part, UserPromptPart) and isinstance(part.content, str)
        ]
        if not typed:
            return ""
        found = await asyncio.to_thread(
            self.memory.recollect, typed[-1], earlier=typed[:-1], session=self.session
        )
        return found.block
