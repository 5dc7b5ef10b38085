"""These tests run if they are named, as `make test-synapse` does.

They need a real Matrix homeserver.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from festinger.chat.accounts import PlatformAccounts
from festinger.chat.bot import PlatformBot
from festinger.chat.bot_state import BotState
from festinger.chat.homeserver import Homeserver
from festinger.chat.matrix import Matrix
from festinger.chat.server import BotClient
from festinger.config import PersonSettings
from tests.apart import ignore_unless_named, require, tell_if_left_out
from tests.chat.asker import Asker
from tests.conftest import fastest_place
from tests.synapse.homeserver import ENVIRONMENT, Somebody, Synapse

HERE = Path(__file__).parent
_numbers = itertools.count(1)


pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(
    HERE, "Matrix homeserver not tried: make test-synapse"
)


@pytest.fixture(scope="session")
def synapse() -> Iterator[Synapse]:
    """A homeserver for all tests."""
    yield from _synapse()


@pytest.fixture
def strict_synapse() -> Iterator[Synapse]:
    """A homeserver of a test's own that wants at most two messages at once."""
    yield from _synapse(rc_message={"per_second": 2, "burst_count": 2})


def _synapse(**limits: object) -> Iterator[Synapse]:
    require(ENVIRONMENT, "Matrix homeserver", "test-synapse")
    directory = Path(tempfile.mkdtemp(prefix="festinger-", dir=fastest_place()))
    server = Synapse(directory, **limits)
    server.configure()
    try:
        asyncio.run(server.start())
        yield server
    finally:
        asyncio.run(server.stop())
        shutil.rmtree(directory)


class People:
    """Accounts of a test's own."""

    def __init__(self, synapse: Synapse) -> None:
        self.number = next(_numbers)
        self.synapse = synapse

    async def make(self, name: str) -> Somebody:
        """Return an account whose name begins so."""
        return await self.synapse.register(f"{name}{self.number}")


@pytest.fixture
def people(synapse: Synapse) -> People:
    """Make accounts."""
    return People(synapse)


@pytest.fixture
async def asker() -> AsyncIterator[Asker]:
    """A stand-in for the memory server."""
    asker = Asker()
    await asker.start()
    yield asker
    await asker.stop()


class Running:
    """A bot that runs."""

    def __init__(self, task: asyncio.Task[None], stack: AsyncExitStack) -> None:
        self.task = task
        self._stack = stack

    async def stop(self) -> None:
        """End it, wherever it is."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self._stack.aclose()


StartBot = Callable[..., Awaitable[Running]]


@pytest.fixture
async def start_bot(asker: Asker, tmp_path: Path) -> AsyncIterator[StartBot]:
    """Start the bot of an account; its notes are the test's."""
    started: list[Running] = []

    async def start(
        synapse: Synapse,
        account: Somebody,
        people: dict[str, PersonSettings] | None = None,
        rooms: tuple[str, ...] = (),
        file: str = "matrix.sqlite",
    ) -> Running:
        stack = AsyncExitStack()
        bot_state = BotState(tmp_path / "chat" / file)
        await bot_state.open()
        stack.push_async_callback(bot_state.close)
        accounts = PlatformAccounts("matrix", people or {})
        server = BotClient(asker.address, lambda: "bots", "default")
        stack.push_async_callback(server.close)
        adapter = Matrix(
            Homeserver(synapse.url, account.token),
            account.account,
            bot_state,
            lambda: accounts,
            rooms=rooms,
            now=time.time,
        )
        bot = PlatformBot(
            adapter, bot_state, server, lambda: accounts, now=time.time, ask_seconds=0.2
        )
        running = Running(asyncio.create_task(bot.run()), stack)
        started.append(running)
        return running

    yield start
    for running in started:
        await running.stop()
