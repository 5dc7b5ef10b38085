from __future__ import annotations

import asyncio

import pytest

from festinger.errors import DatabaseUnavailable, Overloaded
from festinger.workers import follower
from festinger.workers.follower import STALE_SECONDS, Follower
from tests.memories import Clock

EPOCH = 1_700_000_000.0
FAILURES = [DatabaseUnavailable("away"), Overloaded("busy")]


class Followed:
    """A database that is there or not, as a test says, and what was told of it."""

    def __init__(self):
        self.stale_since: float | None = None
        self.error: Exception | None = None
        self.hangs = False
        self.told: list[bool] = []

    async def follow(self):
        """Follow, unless something is wrong."""
        if self.hangs:
            await asyncio.Event().wait()
        if self.error:
            raise self.error

    async def tell(self, itself):
        """Hear whether the server should be used."""
        self.told.append(itself)


@pytest.fixture
def memories():
    """The memories that are followed."""
    return Followed()


@pytest.fixture
def follows(memories, clock):
    """A follower that begins now."""
    return Follower(memories, memories.tell, clock, lambda: clock.now + EPOCH)


async def after(seconds: float, follows: Follower, clock: Clock) -> None:
    """The next look, so much later."""
    clock.now += seconds
    await follows.look()


@pytest.mark.parametrize("error", FAILURES)
async def test_answers_are_stale_after_a_silence(memories, follows, clock, error):
    """
    A moment without an answer means nothing; after five seconds answers say since when
    they may be old.
    """
    memories.error = error
    began, stale = clock.now, []
    for seconds in (STALE_SECONDS - 0.1, 0.1):
        await after(seconds, follows, clock)
        stale.append(memories.stale_since)

    assert stale == [None, pytest.approx(began + EPOCH)]


async def test_long_silence_is_told_once(memories, follows, clock):
    """After five seconds the server no longer recommends itself."""
    memories.error = DatabaseUnavailable("away")
    for seconds in (STALE_SECONDS - 0.1, 0.1, 10, 10):
        await after(seconds, follows, clock)

    assert memories.told == [False]


async def test_answer_clears_both(memories, follows, clock):
    """One successful look and the server is as good as new, its silence forgotten."""
    memories.error = DatabaseUnavailable("away")
    await after(STALE_SECONDS, follows, clock)
    memories.error = None
    await after(0.25, follows, clock)
    fresh = memories.stale_since, memories.told
    memories.error = DatabaseUnavailable("away")
    await after(STALE_SECONDS - 0.1, follows, clock)

    assert fresh == (None, [False, True])
    assert memories.stale_since is None


async def test_hanging_database_counts_as_silent(memories, follows, clock, monkeypatch):
    """A look that never ends is given up, and is no answer."""
    memories.hangs = True
    clock.now += STALE_SECONDS
    monkeypatch.setattr(follower, "STALE_SECONDS", 0.01)

    await follows.look()

    assert memories.stale_since is not None


async def test_defect_is_raised_and_makes_answers_stale(memories, follows, clock):
    """
    News that cannot be taken over are not followed, whatever the reason: it is logged
    by whoever looks again and again, and the answers say so.
    """
    memories.error = RuntimeError("a defect")

    with pytest.raises(RuntimeError):
        await after(STALE_SECONDS, follows, clock)

    assert memories.stale_since is not None
