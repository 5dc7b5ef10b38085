"""A LangChain retriever, and a middleware for agents.

memory = AgentMemory(Client(project="shop"))
retriever = FestingerRetriever(memory=memory, k=5)
agent = create_agent(model, middleware=[FestingerMiddleware(memory)])
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage
from langchain_core.retrievers import BaseRetriever

from festinger.adapters.memory import AgentMemory, PromptMemory


class FestingerRetriever(BaseRetriever):
    """Returns what is known about a query as documents, whose metadata is its provenance.

    Attributes:
        memory: The memory.
        k: At most so many documents.
    """

    memory: AgentMemory
    k: int = 10

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
    ) -> list[Document]:
        return [
            Document(page_content=it.text, metadata=it.provenance, id=it.name)
            for it in self.memory.search(query, limit=self.k if k is None else k)
        ]


class FestingerMiddleware(AgentMiddleware[Any, Any]):
    """Puts what the memory has for the newest message into the system message.

    The memory learns from what the person typed, once for each message. What contradicts
    is not held: the memory's `on_contradiction` is called, and the model is told both.

    Args:
        memory: The memory.
        session_of: Names the conversation of a request; the thread's id by default.
    """

    def __init__(
        self,
        memory: AgentMemory,
        session_of: Callable[[ModelRequest[Any]], str] | None = None,
    ) -> None:
        super().__init__()
        self._memory = memory
        self._session_of = session_of or _thread_of

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Any]
    ) -> Any:
        """Call the model with what the memory has for the prompt."""
        # For each call of the model, but learned from once: the digest names the message.
        return handler(self._with_memory(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[Any]],
    ) -> Any:
        """Call the model with what the memory has for the prompt."""
        return await handler(await asyncio.to_thread(self._with_memory, request))

    def _with_memory(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        found = recollected(self._memory, request.messages, self._session_of(request))
        if not found.block:
            return request
        # Behind the agent's own text, so that its cached beginning stays the same.
        former = request.system_message
        if former is None:
            system = SystemMessage(found.block)
        elif isinstance(former.content, str):
            system = SystemMessage(f"{former.content}\n\n{found.block}")
        else:
            # Content in parts may hold other kinds, and stays in parts.
            block = {"type": "text", "text": found.block}
            system = SystemMessage([*former.content, block])
        return request.override(system_message=system)


def recollected(
    memory: AgentMemory, messages: list[AnyMessage], session: str = ""
) -> PromptMemory:
    """Return what the memory has for the newest message that a person typed."""
    typed = [it.text for it in messages if isinstance(it, HumanMessage)]
    if not typed:
        return PromptMemory()
    return memory.recollect(typed[-1], earlier=typed[:-1], session=session)


def _thread_of(request: ModelRequest[Any]) -> str:
    # May be absent; then the conversation has no name.
    info = getattr(request.runtime, "execution_info", None)
    return str(getattr(info, "thread_id", None) or "")
