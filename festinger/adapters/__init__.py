"""Adapters of the memory for agents' frameworks, each a module that imports its own.

memory = AgentMemory(Client(project="shop"))
agent = create_agent(model, middleware=[FestingerMiddleware(memory)])
"""

from __future__ import annotations

from festinger.adapters.memory import (
    AgentMemory,
    Contradicted,
    ContradictionError,
    KnownLine,
    PromptMemory,
    TellResult,
)

__all__ = [
    "AgentMemory",
    "Contradicted",
    "ContradictionError",
    "KnownLine",
    "PromptMemory",
    "TellResult",
]
