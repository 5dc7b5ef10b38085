from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from festinger.errors import DatabaseUnavailable
from festinger.workers.periodic import DatabaseWatch, every


@asynccontextmanager
async def repeating(action):
    """Does something again and again, and stops."""
    task = asyncio.create_task(every(0.001, "test", action))
    yield
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


class Database:
    """A database that is there or not, as a test says."""

    def __init__(self):
        self.there = True
        self.revived = 0
        self.told: list[bool] = []

    async def ping(self):
        """Raise if it is away."""
        if not self.there:
            raise DatabaseUnavailable("away")

    async def revive(self):
        """Bring it back."""
        self.revived += 1
        self.there = True

    async def tell(self, there):
        """Hear how it is."""
        self.told.append(there)


@pytest.mark.parametrize(
    "error", [DatabaseUnavailable("away"), RuntimeError("bug"), None]
)
async def test_worker_outlives_its_failures(error):
    """Whatever a run raises, the next one comes."""
    runs = 0
    enough = asyncio.Event()

    async def action():
        nonlocal runs
        runs += 1
        if runs == 3:
            enough.set()
        if error:
            raise error

    async with repeating(action):
        await enough.wait()

    assert runs >= 3


async def test_change_is_told_once():
    """Only when the database goes, and when it comes back."""
    database = Database()
    watch = DatabaseWatch(database.ping, None, database.tell)

    for there in (True, True, False, False, True, True):
        database.there = there
        await watch.look()

    assert database.told == [False, True]


async def test_own_database_is_revived():
    """One that we started is started again; the next look finds it."""
    database = Database()
    watch = DatabaseWatch(database.ping, database.revive, database.tell)
    database.there = False

    await watch.look()
    await watch.look()

    assert (database.revived, database.told) == (1, [False, True])


async def test_failed_revival_is_tried_again():
    """A database that does not start is reported, and looked for again."""
    database = Database()
    database.there = False
    tries = 0

    async def revive():
        nonlocal tries
        tries += 1
        raise DatabaseUnavailable("still away")

    watch = DatabaseWatch(database.ping, revive, database.tell)
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable):
            await watch.look()

    assert (tries, database.told) == (3, [False])
