"""Acknowledged statements before a backup outlive the loss of the machine."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import grpc
import pytest

from festinger import app, config
from festinger.api.v1.line_service_pb2 import SayRequest, SearchLinesRequest
from festinger.credentials import OPERATOR, SHIM, read_token
from festinger.errors import DataDirectoryInUse, InvalidArgument
from festinger.maintenance import back_up, restore
from tests import forks
from tests.conftest import fastest_place
from tests.memories import write_dictionary
from tests.serving import Client
from tests.waiting import until


class Silent:
    """Shows nothing."""

    def say(self, message: str) -> None:
        """Not this."""

    def step(self, name: str, done: int, total: int) -> None:
        """Nor that."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that Postgres' user can enter."""
    directory = Path(tempfile.mkdtemp(prefix="festinger-", dir=fastest_place()))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


def settings_of(place: Path, name: str = "data") -> config.Settings:
    """Return a data directory with a small dictionary, and free ports."""
    data_dir = place / name
    data_dir.mkdir(exist_ok=True)
    write_dictionary(data_dir)
    values = {"data_dir": data_dir, "server": {"address": "127.0.0.1:0"}}
    return config.load(overrides=values, environment={})


@asynccontextmanager
async def running(settings: config.Settings) -> AsyncIterator[Client]:
    """A server, and a client of it."""
    async with (
        app.serving(settings) as started,
        grpc.aio.insecure_channel(started.server) as channel,
    ):
        yield Client(channel)


async def write(client: Client, number: int, acknowledged: list[str]) -> None:
    """State facts, one after the other, and notes those that were acknowledged."""
    for at in count():
        token = f"gnome-{number}x{at}"
        answer = await client.states(f"{token} -isa repo", request_id=token)
        assert answer.outcome.triple.concept == token
        acknowledged.append(token)


async def test_what_was_acknowledged_before_a_backup_is_restored(place):
    """Under load, and though the data directory is gone."""
    file, acknowledged = place / "memory.zip", list[str]()
    settings = settings_of(place)
    async with running(settings) as client:
        writers = [
            asyncio.create_task(write(client, number, acknowledged))
            for number in range(8)
        ]
        await until(lambda: len(acknowledged) >= 100)
        before = list(acknowledged)
        await back_up(settings, file, Silent())
        during = len(acknowledged) - len(before)
        for task in writers:
            task.cancel()
        await asyncio.gather(*writers, return_exceptions=True)
    shutil.rmtree(settings.data_dir)

    restored = settings_of(place)
    await restore(restored, file, Silent())
    async with running(restored) as client:
        held = [await client.concept(token) for token in before]

    assert len(before) > 20
    assert during > 0
    assert [each.edges[0].parent for each in held] == ["repo"] * len(before)


async def found(client: Client, settings: config.Settings, query: str) -> list[str]:
    """Return the lines that the index finds for words, the best first."""
    token = str(read_token(settings.data_dir, OPERATOR))
    request = SearchLinesRequest(query=query)
    who = Client.as_(token)
    return [
        it.text for it in (await client.lines.SearchLines(request, metadata=who)).lines
    ]


async def test_restored_index_answers_the_same(place):
    """The same lines in the same order for each prompt, and the same decisions."""
    file, settings = place / "memory.zip", settings_of(place)
    queries = ["gnommoweb", "Kassel stock", "shelf"]
    async with running(settings) as client:
        for fact in ("gnommoweb -isa repo", "gnommoweb -isa container"):
            await client.states(fact)
        who = Client.as_(str(read_token(settings.data_dir, SHIM)), subject="anna")
        for text in (
            "Kassel delivers the stock file at 05:40 every morning.",
            "Nobody touches the Kassel shelf before Lena has counted it.",
        ):
            await client.lines.Say(SayRequest(text=text), metadata=who)
        before = [await found(client, settings, query) for query in queries]
        conflict = await client.conflict(1)
        told = (await client.says("gnommoweb")).lines
        await back_up(settings, file, Silent())
    shutil.rmtree(settings.data_dir)

    await restore(settings_of(place), file, Silent())
    async with running(settings) as client:
        after = [await found(client, settings, query) for query in queries]
        assert await client.conflict(1) == conflict
        assert (await client.says("gnommoweb")).lines == told

    assert all(before)
    assert after == before


async def test_restore_beside_a_running_server_is_refused(place):
    """The server of the data directory is named."""
    settings, file = settings_of(place), place / "memory.zip"
    async with running(settings):
        await back_up(settings, file, Silent())
        with pytest.raises(DataDirectoryInUse, match="Stop it"):
            await restore(settings, file, Silent(), replace=True)


async def test_directory_without_a_database_has_no_backup(place):
    """And none is made there for it."""
    settings = settings_of(place, "typo")

    with pytest.raises(InvalidArgument, match="holds no database"):
        await back_up(settings, place / "memory.zip", Silent())

    assert not (settings.data_dir / "postgres").exists()


def festinger(*words: str) -> forks.Ended:
    """Run the command."""
    return forks.run(*words, environment=os.environ)


async def test_commands_tell_what_was_saved_and_restored(place):
    """In a sentence, or as JSON; what is wrong is one line on standard error."""
    settings, file = settings_of(place), place / "memory.zip"
    async with running(settings) as client:
        await client.states("gnommoweb -isa repo")
    where = ("--data-dir", str(settings.data_dir))

    saved = festinger("system", "backup", str(file), *where)
    refused = festinger("system", "restore", str(file), *where)
    restored = festinger("system", "restore", str(file), "--replace", "--json", *where)

    assert saved.printed.startswith(f"{file} holds 1 memory, ")
    assert (saved.code, refused.code, restored.code) == (0, 1, 0)
    assert refused.complained.splitlines()[-1].startswith(
        "festinger: the database holds"
    )
    assert json.loads(restored.printed)["tenants"] == {"default": 1}
