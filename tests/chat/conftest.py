from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from festinger.chat.accounts import PlatformAccounts
from festinger.chat.bot import PlatformBot
from festinger.chat.bot_state import BotState
from festinger.chat.listener import WebhookListener
from festinger.chat.server import BotClient
from festinger.config import PersonSettings
from tests.chat.asker import Asker
from tests.memories import Clock

PEOPLE = {
    "alice": PersonSettings(slack="U1", webhook="alice@chat", matrix="@alice:test"),
    "mod": PersonSettings(slack="U9", webhook="mod@chat", moderator=True),
}


class Running:
    """
    A bot that runs.

    Attributes:
        url: Where answers are brought to it.
    """

    def __init__(
        self,
        bot: PlatformBot,
        bot_state: BotState,
        stack: AsyncExitStack,
        url: str = "",
    ) -> None:
        self.bot_state = bot_state
        self.url = url
        self._stack = stack
        self._task = asyncio.create_task(bot.run())

    async def stop(self) -> None:
        """End it, wherever it is."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._stack.aclose()


Make = Callable[[BotState, Callable[[], PlatformAccounts]], Any]
"""Makes an adapter."""
StartBot = Callable[..., Awaitable[Running]]


@pytest.fixture
async def asker() -> AsyncIterator[Asker]:
    """A stand-in for the memory server."""
    asker = Asker()
    await asker.start()
    yield asker
    await asker.stop()


@pytest.fixture
async def start_bot(
    asker: Asker, tmp_path: Path, clock: Clock
) -> AsyncIterator[StartBot]:
    """Start a bot with an adapter of the test's; its notes are the test's."""
    started: list[Running] = []

    async def start(
        platform: str,
        make: Make,
        people: dict[str, PersonSettings] = PEOPLE,
        file: str = "notes.sqlite",
    ) -> Running:
        stack = AsyncExitStack()
        bot_state = BotState(tmp_path / "chat" / file)
        await bot_state.open()
        stack.push_async_callback(bot_state.close)
        accounts = PlatformAccounts(platform, people)
        server = BotClient(asker.address, lambda: "bots", "default")
        stack.push_async_callback(server.close)
        adapter = make(bot_state, lambda: accounts)
        url = ""
        if routes := getattr(adapter, "routes", None):
            listener = WebhookListener("127.0.0.1:0", routes)
            stack.push_async_callback(listener.stop)
            url = f"http://{await listener.start()}"
        bot = PlatformBot(
            adapter, bot_state, server, lambda: accounts, now=clock, ask_seconds=0.1
        )
        started.append(Running(bot, bot_state, stack, url))
        return started[-1]

    yield start
    for running in started:
        await running.stop()


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    """Whoever brings answers."""
    async with aiohttp.ClientSession() as session:
        yield session
