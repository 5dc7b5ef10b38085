"""The bot between a platform and the memory server."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from festinger.chat.adapter import PlatformAnswer
from festinger.core.validation.votes import EventResponse
from tests.waiting import until

ACCEPT = PlatformAnswer(
    delivery="$1", account="U1", place="C1", response=EventResponse.CONFIRMED
)


class Platform:
    """A platform that shows a message at once, but returns from posting it when it may."""

    platform = "slack"
    routes = ()

    def __init__(self) -> None:
        self.may_return = asyncio.Event()
        self.shown: list[str] = []
        self.told: list[str] = []
        self.answers: asyncio.Queue[PlatformAnswer] = asyncio.Queue()

    async def start(self) -> None:
        """Nothing has to be started."""

    async def stop(self) -> None:
        """Nothing has to be stopped."""

    async def channels(self):
        """Return the only channel."""
        return ["C1"]

    async def post(self, question):
        """Show a question, and return only once the test permits it."""
        self.shown.append(question.text)
        await self.may_return.wait()
        return "C1/1"

    async def notify(self, heard, message, *, refused):
        """Keep the message."""
        self.told.append(message)

    async def run(self, on_answers):
        """Deliver the answers of the queue."""
        while True:
            await on_answers([await self.answers.get()])


@pytest.fixture
async def platform():
    """A platform whose bot is to be started."""
    return Platform()


@pytest.fixture
async def running(start_bot, platform):
    """A running bot."""
    return await start_bot("slack", lambda *_: platform)


async def test_answer_that_comes_while_its_question_is_posted_counts(
    asker, platform, running
):
    """
    A person who answers a message, without a reply to it, before the bot has returned
    from posting it is not told that nothing waits: the answer counts.
    """
    asker.ask(1, "Did Alice join the Chess Club?", channel="C1")
    await until(lambda: platform.shown)
    platform.answers.put_nowait(ACCEPT)
    await until(running.bot_state.waiting)
    # Answers are taken in order: once the last one is told, the others were looked at.
    platform.answers.put_nowait(replace(ACCEPT, delivery="$2", account="U9", line=1))
    platform.answers.put_nowait(
        PlatformAnswer(delivery="$3", account="U9", opts_out=True)
    )
    await until(lambda: platform.told)
    platform.may_return.set()
    await until(lambda: len(asker.answers) == 2)
    assert [number for _, number, _ in asker.said] == [1, 1]
    assert not any("Nothing waits" in it for it in platform.told)


async def test_answer_where_nothing_is_asked_is_refused(platform, running):
    """
    "Accept" in a room without a question is answered with: nothing waits.
    """
    platform.answers.put_nowait(ACCEPT)
    await until(lambda: platform.told)
    assert platform.told == ["Nothing waits for an answer here."]
