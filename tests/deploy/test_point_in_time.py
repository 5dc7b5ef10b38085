"""Going back to a point in time, by the commands of `docs/how-to/operating.md`."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from copy import deepcopy
from pathlib import Path
from textwrap import dedent

import grpc
import pytest

from festinger.credentials import SHIM, read_token
from tests.databases import answer_of, command
from tests.kill.audit import Records, audit, compare
from tests.kill.clients import Clients, Ledger
from tests.kill.server import COMMAND, OPTIONS, Serving, environment, free_port
from tests.postgres import PostgresShell
from tests.store.embedded.clusters import make_base
from tests.waiting import until

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "operating.md"
WRITES = 50
MOMENT = "2026-11-26 03:24:00+00"
"""The page's moment, and its day."""
DAY = MOMENT.split()[0]


def blocks() -> list[str]:
    """
    Return the page's settings, its commands for a copy, and those for going back.
    """
    section = PAGE.read_text().split("### To any point in time\n")[1].split("\n## ")[0]
    return [
        dedent(it) for it in re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)[:3]
    ]


class Archived:
    """
    A Postgres whose log is kept, as the page has it.
    """

    def __init__(self, base: Path):
        self.shell = PostgresShell(base)
        self.data = base / "pgdata"
        self.port = free_port()
        self.dsn = f"postgresql://postgres@127.0.0.1:{self.port}/festinger"
        for folder in ("wal", "base"):
            (base / folder).mkdir()
            self.shell.owner.owns(base / folder)
        self.settings, self._copying, self._going_back = map(self._here, blocks())

    def _here(self, text: str) -> str:
        return re.sub(r"/(?=(?:wal|base)/)", f"{self.shell.directory}/", text)

    async def make(self) -> None:
        """
        Start it, and make the database and who may copy it.
        """
        await self._run("initdb -U postgres --auth=trust --no-sync -D $PGDATA")
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(
                f"{self.settings}\nlisten_addresses = '127.0.0.1'\nport = {self.port}\n"
                f"unix_socket_directories = ''\n"
            )
        await self._run("pg_ctl start -w -l $PGDATA/log")
        server = self.dsn.replace("/festinger", "/postgres")
        await command(server, "create database festinger")
        await command(server, "create role replicator login replication")

    async def copy(self) -> None:
        """
        Make a copy of it while it runs.
        """
        at = f"replicator@127.0.0.1:{self.port}/postgres"
        await self._run(self._copying.replace("replicator@db/postgres", at))

    async def moment(self) -> str:
        """
        Return what time it is by its clock.
        """
        return str(await answer_of(self.dsn, "select clock_timestamp()"))

    async def lose(self) -> None:
        """
        Lose it, and its disk, with its log archived up to here, as it is each minute.
        """
        last = await answer_of(self.dsn, "select pg_walfile_name(pg_switch_wal())")
        await until((self.shell.directory / "wal" / last).exists)
        await self.stop()
        shutil.rmtree(self.data)

    async def go_back(self, moment: str | None) -> None:
        """
        Bring it back as of a moment, or as far as its log goes.
        """
        commands = self._going_back.replace(MOMENT, moment or "")
        if moment is None:
            commands = commands.replace(" -c recovery_target_time=''", "")
        today = next((self.shell.directory / "base").iterdir()).name
        await self._run(commands.replace(DAY, today))

    async def stop(self) -> None:
        """
        End it as a crash does.
        """
        if (self.data / "postmaster.pid").exists():
            await self._run("pg_ctl stop -w -m immediate")

    async def _run(self, commands: str) -> None:
        await self.shell.run(commands, PGDATA=str(self.data))


@pytest.fixture
async def archived() -> AsyncIterator[Archived]:
    """
    A Postgres with an empty database `festinger`.
    """
    archived = Archived(make_base())
    try:
        await archived.make()
        yield archived
    finally:
        await archived.stop()
        shutil.rmtree(archived.shell.directory)


@pytest.fixture
async def serving(archived: Archived) -> AsyncIterator[Serving]:
    """
    A server on it, which is not started yet.
    """
    serving = Serving(archived.shell.directory / "data")
    serving.data_dir.mkdir()
    (serving.data_dir / "dictionary-en-3.3.txt").write_text("please\nupdate\n")
    serving.dsn = archived.dsn
    yield serving
    print(serving.output())
    await serving.clear()


async def write(serving: Serving, seed: int) -> Ledger:
    """
    Return what was acknowledged to clients that write for a while.
    """
    token = str(read_token(serving.data_dir, SHIM))
    async with Clients(serving.address, token, seed, callers=3).calling() as ledger:
        await until(lambda: len(ledger.answers) >= WRITES)
    return ledger


async def holds(serving: Serving, ledger: Ledger) -> None:
    """
    Compare the database with what was acknowledged, and the server with the database.
    """
    records = await Records.read(serving.dsn)
    audit(ledger, records)
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        await compare(channel, records)
    check = await asyncio.create_subprocess_exec(
        *(*COMMAND, "check", "--world", "--server", serving.address),
        *("--data-dir", serving.data_dir),
        env=environment(),
    )
    assert await check.wait() == 0


def together(one: Ledger, other: Ledger) -> Ledger:
    """
    Return what two ledgers have.
    """
    both = deepcopy(one)
    both.sent |= other.sent
    both.answers |= other.answers
    both.differing += other.differing
    return both


async def lose_after_a_mistake(archived: Archived, serving: Serving) -> None:
    """
    Write more, have most of it erased by mistake, and then lose the disk.
    """
    await write(serving, 2)
    await serving.end()
    await command(archived.dsn, "truncate soas, assertions, urd, requests cascade")
    await archived.lose()


async def test_destroyed_database_goes_back_to_a_moment(archived, serving):
    """
    All that was acknowledged before it is there, nothing of what came afterwards is, and
    the server that is started on it takes writes again. Lost once more before there is a
    new copy, it comes back as far as its log goes.
    """
    await serving.start()
    await archived.copy()
    before = await write(serving, 1)
    moment = await archived.moment()
    await lose_after_a_mistake(archived, serving)

    await archived.go_back(moment)
    await serving.start()
    await holds(serving, before)

    both = together(before, await write(serving, 3))
    await serving.end()
    await archived.lose()
    await archived.go_back(None)
    await serving.start()
    await holds(serving, both)
