"""A server is killed in the middle of a wave: the same command again ends as if not."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import asyncpg
import grpc.aio
import pytest

from festinger.api.v1 import ingestion_service_pb2 as pb
from festinger.api.v1 import ingestion_service_pb2_grpc
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from tests import forks
from tests.conftest import DATABASE
from tests.kill.server import OPTIONS, Serving, environment
from tests.waiting import until

pytestmark = pytest.mark.slow

DOCUMENTS = 500
READING_SECONDS = 0.3
"""How long after a wave began the server is killed, at most."""

ROWS = (
    "select path, digest, size, state, problem from documents where tenant = $1 "
    "order by path",
    "select d.path, c.ordinal, c.headings, c.start_at, c.end_at, c.text, c.current, "
    "c.extracted_wave_id is not null as extracted from chunks c "
    "join documents d on d.tenant = c.tenant and d.id = c.document_id "
    "where c.tenant = $1 order by d.path, c.ordinal",
    "select kind, type, content, status, confidence, rank, place, rule, span_start, "
    "span_end, quote, re_extraction_count, cycle from memory_records where tenant = $1 "
    "order by content",
    "select action, count(*) from edits where tenant = $1 group by action "
    "order by action",
)
"""What does not depend on how often it was begun."""


def make_documents(folder: Path) -> None:
    """Documents with more decisions than people see at once, some of them said twice."""
    folder.mkdir()
    for number in range(DOCUMENTS):
        text = f"# Number {number}\n\nNothing of note.\n"
        if number % 5 == 0:
            choice = number % 300
            text += f"\n## Decision: Take the service number {choice} for all of it\n"
        (folder / f"{number:04}.md").write_text(text)


async def ingest(serving: Serving, folder: Path, tenant: str) -> int:
    """Run `festinger ingest`; its exit code."""
    words = ("ingest", str(folder), "--tenant", tenant, "--server", serving.address)
    ended = await asyncio.to_thread(
        forks.run,
        *(*words, "--data-dir", str(serving.data_dir)),
        environment=environment(),
    )
    return ended.code


async def until_wave(serving: Serving, state: int) -> None:
    """Wait until the newest wave is there, and in a state."""

    async def reached() -> bool:
        waves = (await stub.ListWaves(pb.ListWavesRequest(page_size=1))).waves
        return bool(waves and waves[0].state >= state)

    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        stub = ingestion_service_pb2_grpc.IngestionServiceStub(channel)
        await until(reached, 60)


async def rows(serving: Serving, tenant: str) -> list[list[tuple[Any, ...]]]:
    """Return the rows of a memory's documents in the database."""
    connection = await asyncpg.connect(serving.place.dsn)
    try:
        return [
            [tuple(row) for row in await connection.fetch(query, tenant)]
            for query in ROWS
        ]
    finally:
        await connection.close()


async def test_killed_server_reads_on(serving, tmp_path, seed, report):
    """
    Killed while it reads and while it extracts, and asked again: every row of documents,
    chunks and records is that of a wave that nobody disturbed.
    """
    folder = tmp_path / "docs"
    make_documents(folder)
    draw = random.Random(seed)
    await serving.start()
    async with await open_pool(serving.place.dsn, DATABASE) as pool:
        await PostgresStore(pool).add_tenant("calm")
    assert await ingest(serving, folder, "calm") == 0

    codes = []
    for state in (pb.Wave.STATE_RUNNING, pb.Wave.STATE_EXTRACTING):
        reading = asyncio.create_task(ingest(serving, folder, "default"))
        await until_wave(serving, state)
        await asyncio.sleep(draw.random() * READING_SECONDS)
        await serving.kill()
        codes.append(await reading)
        await serving.start()
    codes.append(await ingest(serving, folder, "default"))

    report(f"exit codes {codes}")
    assert codes[-1] == 0
    assert await rows(serving, "default") == await rows(serving, "calm")
