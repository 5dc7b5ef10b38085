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
from tests import forks
from tests.databases import answer_of, command
from tests.kill.audit import Records, audit, compare
from tests.kill.clients import Clients, Ledger
from tests.kill.program import FORKED
from tests.kill.server import OPTIONS, Serving, environment, free_port
from tests.memories import write_dictionary
from tests.postgres import PostgresShell
from tests.store.embedded.clusters import make_base
from tests.waiting import until

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "operating.md"
WRITES = 50
MOMENT = "2026-11-26 03:24:00+00"
"""The page's moment, and its day."""
DAY = MOMENT.split()[0]


def blocks(shell: PostgresShell) -> list[str]:
    """
    Return the page's settings, its commands for a copy and for going back, and those of
    the built-in database, with folders of the shell.
    """
    section = PAGE.read_text().split("### To any point in time\n")[1].split("\n## ")[0]
    indented = re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)
    folders = r"/(?=(?:wal|base)/)|~/(?=memory/)"
    return [re.sub(folders, f"{shell.directory}/", dedent(it)) for it in indented]


def make_folders(shell: PostgresShell) -> None:
    """Make those that the page names."""
    for name in ("wal", "base"):
        folder = shell.directory / name
        folder.mkdir()
        shell.owner.owns(folder)


async def archived_up_to_here(shell: PostgresShell, dsn: str) -> None:
    """Have a database archive its log, which it does each minute."""
    last = await answer_of(dsn, "select pg_walfile_name(pg_switch_wal())")
    await until((shell.directory / "wal" / last).exists)


def as_of(commands: str, moment: str | None, shell: PostgresShell) -> str:
    """Return the page's commands for another moment, or none, and the copy that there is."""
    if moment is None:
        target = (
            rf"recovery_target_time = '{MOMENT}'\n| -c recovery_target_time='{MOMENT}'"
        )
        commands = re.sub(target.replace("+", r"\+"), "", commands)
    copy = next((shell.directory / "base").iterdir()).name
    return commands.replace(MOMENT, moment or "").replace(DAY, copy)


class Archived:
    """A Postgres whose log is kept, as the page has it."""

    def __init__(self, base: Path):
        self.shell = PostgresShell(base)
        self.data = base / "pgdata"
        self.port = free_port()
        self.dsn = f"postgresql://postgres@127.0.0.1:{self.port}/festinger"
        make_folders(self.shell)
        self.settings, self._copying, self._going_back, *_ = blocks(self.shell)

    async def make(self) -> None:
        """Start it, and make the database and who may copy it."""
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
        """Make a copy of it while it runs."""
        at = f"replicator@127.0.0.1:{self.port}/postgres"
        await self._run(self._copying.replace("replicator@db/postgres", at))

    async def lose(self) -> None:
        """Lose it, and its disk."""
        await archived_up_to_here(self.shell, self.dsn)
        await self.stop()
        shutil.rmtree(self.data)

    async def go_back(self, moment: str | None) -> None:
        """Bring it back as of a moment, or as far as its log goes."""
        await self._run(as_of(self._going_back, moment, self.shell))

    async def stop(self) -> None:
        """End it as a crash does."""
        if (self.data / "postmaster.pid").exists():
            await self._run("pg_ctl stop -w -m immediate")

    async def _run(self, commands: str) -> None:
        await self.shell.run(commands, PGDATA=str(self.data))


@pytest.fixture
async def archived() -> AsyncIterator[Archived]:
    """A Postgres with an empty database `festinger`."""
    archived = Archived(make_base())
    try:
        await archived.make()
        yield archived
    finally:
        await archived.stop()
        shutil.rmtree(archived.shell.directory)


@pytest.fixture
async def serving(archived: Archived) -> AsyncIterator[Serving]:
    """A server on it, which is not started yet."""
    serving = Serving(archived.shell.directory / "data", FORKED)
    make_data_dir(serving)
    serving.dsn = archived.dsn
    yield serving
    print(serving.output())
    await serving.clear()


def make_data_dir(serving: Serving) -> None:
    """Make a server's data directory, with a dictionary of few words."""
    serving.data_dir.mkdir(mode=0o755)
    write_dictionary(serving.data_dir)


async def write(serving: Serving, seed: int) -> Ledger:
    """Return what was acknowledged to clients that write for a while."""
    token = str(read_token(serving.data_dir, SHIM))
    async with Clients(serving.address, token, seed, callers=3).calling() as ledger:
        await until(lambda: len(ledger.answers) >= WRITES)
    return ledger


async def holds(serving: Serving, ledger: Ledger) -> None:
    """Compare the database with what was acknowledged, and the server with the database."""
    records = await Records.read(serving.dsn or serving.place.dsn)
    audit(ledger, records)
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        await compare(channel, records)
    words = ("--server", serving.address, "--data-dir", str(serving.data_dir))
    check = await asyncio.to_thread(
        forks.run, "check", "--world", *words, environment=environment()
    )
    assert check.code == 0, check


def together(one: Ledger, other: Ledger) -> Ledger:
    """Return what two ledgers have."""
    both = deepcopy(one)
    both.sent |= other.sent
    both.answers |= other.answers
    both.differing += other.differing
    return both


async def make_a_mistake(serving: Serving, dsn: str) -> str:
    """Return the moment before more is written, and most is erased by mistake."""
    moment = str(await answer_of(dsn, "select clock_timestamp()"))
    await write(serving, 2)
    await command(dsn, "truncate soas, assertions, urd, requests cascade")
    return moment


async def test_destroyed_database_goes_back_to_a_moment(archived, serving):
    """
    All that was acknowledged before it is there, nothing of what came afterwards is, and
    the server that is started on it takes writes again. Lost once more before there is a
    new copy, it comes back as far as its log goes.
    """
    await serving.start()
    await archived.copy()
    before = await write(serving, 1)
    moment = await make_a_mistake(serving, archived.dsn)
    await serving.end()
    await archived.lose()

    await archived.go_back(moment)
    await serving.start()
    await holds(serving, before)

    both = together(before, await write(serving, 3))
    await serving.end()
    await archived.lose()
    await archived.go_back(None)
    await serving.start()
    await holds(serving, both)


async def test_built_in_database_goes_back_to_a_moment():
    """The same, with Festinger's own Postgres."""
    shell = PostgresShell(make_base())
    make_folders(shell)
    settings, _, _, copying, going_back = blocks(shell)
    serving = Serving(shell.directory / "memory", FORKED)
    make_data_dir(serving)
    shell.owner.owns(serving.data_dir)
    place = serving.place

    async def lose() -> None:
        await archived_up_to_here(shell, place.dsn)
        await serving.end()
        shutil.rmtree(place.cluster)

    try:
        await serving.start()
        await serving.end()
        with (place.cluster / "postgresql.conf").open("a") as file:
            file.write(settings)
        await shell.run(copying)
        await serving.start()
        before = await write(serving, 1)
        moment = await make_a_mistake(serving, place.dsn)
        await lose()

        await shell.run(as_of(going_back, moment, shell))
        await serving.start()
        await holds(serving, before)

        both = together(before, await write(serving, 3))
        await lose()
        await shell.run(as_of(going_back, None, shell))
        await serving.start()
        await holds(serving, both)
    finally:
        print(serving.output())
        await serving.clear()
        shutil.rmtree(place.sockets, ignore_errors=True)
        shutil.rmtree(shell.directory)
