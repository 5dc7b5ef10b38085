"""The memory block in LlamaIndex's memory."""

from __future__ import annotations

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory

from festinger.adapters.llama_index import FestingerMemoryBlock


def memory_of(memory, **more):
    """LlamaIndex's memory with the block."""
    block = FestingerMemoryBlock(memory=memory, priority=1)
    return Memory.from_defaults(session_id="chat", memory_blocks=[block], **more)


async def test_block_holds_what_is_known(memory, name):
    """It stands in the system message, about the newest message."""
    memory.tell(f"{name} is a repo.")
    chat = memory_of(memory)
    await chat.aput(ChatMessage(role="user", content=f"What is {name}?"))

    messages = await chat.aget()

    system = messages[0]
    assert system.role == "system"
    assert f"{name}: [type] repo" in system.content


async def test_messages_teach_and_contradictions_are_reported(
    memory, name, held, found
):
    """A person's statement is held once it is asked about; a contradiction is reported."""
    chat = memory_of(memory)
    for text in (f"{name} is a repo.", f"{name} is a container."):
        await chat.aput(ChatMessage(role="user", content=text))
        await chat.aget()
        assert held() == "repo"

    assert [it.told for it in found] == [f"{name} [type] container"]


async def test_what_leaves_the_short_term_memory_teaches(memory, name, held):
    """Messages that are flushed are read, if nobody asked about them before."""
    chat = memory_of(memory, token_limit=60, token_flush_size=10)
    await chat.aput(ChatMessage(role="user", content=f"{name} is a repo."))
    for number in range(8):
        for role in ("assistant", "user"):
            content = f"Nothing happened on day {number}, as ever."
            await chat.aput(ChatMessage(role=role, content=content))

    assert held() == "repo"


async def test_message_teaches_once(memory, name, found):
    """One that was asked about teaches nothing when it leaves the short-term memory."""
    memory.tell(f"{name} is a repo.")
    chat = memory_of(memory, token_limit=60, token_flush_size=10)
    for text in ("Nothing happened yet.", f"{name} is a container."):
        await chat.aput(ChatMessage(role="user", content=text))
        await chat.aget()
    for number in range(8):
        for role in ("assistant", "user"):
            content = f"Nothing happened on day {number}, as ever."
            await chat.aput(ChatMessage(role=role, content=content))

    assert [it.told for it in found] == [f"{name} [type] container"]


async def test_block_gives_way(memory):
    """The block is left out if there is no room for it."""
    block = FestingerMemoryBlock(memory=memory)

    assert await block.atruncate("text", 1) is None


async def test_example_tells(example):
    """The page's example has what is known among its messages."""
    names = await example("LlamaIndex")

    assert "zilpha: [type] database" in names["messages"][0].content
