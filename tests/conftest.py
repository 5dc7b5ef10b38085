from __future__ import annotations

import asyncio
import gc
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

import grpc
import pytest
from hypothesis import settings

from festinger.audit import AuditLog
from festinger.config import DatabaseSettings, ServerSettings
from festinger.llm.providers import providers
from festinger.rpc.server import MemoryServer
from festinger.services.graph.resolver import Resolver
from festinger.services.language.reader.turns import TurnReading
from festinger.services.memories.memory_extractor import MemoryExtractor
from festinger.services.review.extraction import WaveExtraction
from festinger.services.review.ingester import Ingester
from festinger.services.system.model_asker import ModelAsker
from festinger.services.system.models import Models
from festinger.services.system.registry import ServiceRegistry
from festinger.services.validation.dreamer import Dreamer
from festinger.services.validation.questioner import Questioner
from festinger.services.validation.retrainer import Retrainer
from festinger.services.world.memory import Memories
from festinger.store.embedded import EmbeddedPostgres, cluster
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.review.reports import ReportFolders
from festinger.store.system.pool import Pool, open_pool
from festinger.store.validation.labelfiles import LabelFolder
from festinger.workers.worker_process import WorkerProcess
from tests.ballots import Ballots
from tests.considering import Here
from tests.databases import PREPARED, Databases, command, create, drop, dsn_of
from tests.memories import DICTIONARY, TRUST, Clock
from tests.pgbouncer.bouncer import Bouncer
from tests.providers import ProviderStandIn
from tests.records import Extractor
from tests.scripted_model import ScriptedModel
from tests.serving import Client, Serve

if TYPE_CHECKING:
    from festinger.llm.keyring import FileKeyring

# How long an example takes says nothing about what it records.
settings.register_profile("festinger", deadline=None)
settings.load_profile("festinger")

# Days are those of the machine: tests, and the programs they start, have the same anywhere.
os.environ["TZ"] = "UTC"
time.tzset()

TEMPLATE = "template_of_a_memory"
DATABASE = DatabaseSettings(connections_max=4, statement_seconds_max=10)


def pytest_sessionstart() -> None:
    """Has garbage be collected less often, already while the tests are collected."""
    # Without the last number what is left is so little that all of it is looked at
    # again whenever a quarter has been added.
    gc.set_threshold(20_000, 20, 50)


def pytest_collection_finish() -> None:
    """
    Has garbage not be looked for among the tests themselves.

    There are thousands of them, and none goes before the end.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The DSN of the session's one Postgres, which has an empty database."""
    # pytest's own directories cannot be entered by the user that Postgres runs as.
    directory = Path(tempfile.mkdtemp(prefix="festinger-", dir=fastest_place()))
    directory.chmod(0o755)
    server = EmbeddedPostgres(directory)
    try:
        with pytest.MonkeyPatch.context() as patch:
            # What must outlive a power cut is tested with servers of their own. Without
            # a place in memory a database takes a second to make and drop, else.
            for setting in ("fsync", "full_page_writes"):
                patch.setitem(cluster.FIXED, setting, "off")
            # It would wake up for each database, to tidy what is gone after the test.
            patch.setitem(cluster.FIXED, "autovacuum", "off")
            dsn = asyncio.run(server.start())
        yield dsn
    finally:
        asyncio.run(server.stop())
        shutil.rmtree(directory)


def fastest_place() -> Path:
    """
    Memory, where there is enough: making and dropping databases is mostly fsync, and a
    cluster is copied five times as fast.
    """
    memory = Path("/dev/shm")
    enough = memory.is_dir() and shutil.disk_usage(memory).free > 2 * 2**30
    # A container may forbid to run there what some tests copy.
    runs = enough and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    return memory if runs else Path("/tmp")


@pytest.fixture(scope="session")
def template(postgres: str) -> str:
    """The name of a database with the newest schema and the tenant `default`."""

    async def make() -> None:
        await command(postgres, f"create database {TEMPLATE}")
        dsn = dsn_of(postgres, TEMPLATE)
        await migrate(dsn)
        async with await open_pool(dsn, DATABASE) as pool:
            await PostgresStore(pool, DICTIONARY).add_tenant("default")
        await command(dsn, PREPARED)

    asyncio.run(make())
    return TEMPLATE


@pytest.fixture(scope="session")
def databases(postgres: str, template: str) -> Iterator[Databases]:
    """Those that tests get, one after the other."""
    databases = Databases(postgres, template)
    yield databases
    databases.close()


@pytest.fixture
def database(postgres: str, databases: Databases) -> Iterator[str]:
    """The DSN of a database that is as if new, with the tenant `default`."""
    database = databases.take()
    yield dsn_of(postgres, database.name)
    databases.give_back(database)


@pytest.fixture
async def empty_database(postgres: str) -> AsyncIterator[str]:
    """The DSN of a database without tables."""
    name = f"empty_{uuid4().hex}"
    await create(postgres, name, "template0")
    try:
        yield dsn_of(postgres, name)
    finally:
        await drop(postgres, name)


@pytest.fixture(scope="session")
def bouncer(postgres: str) -> Iterator[str | None]:
    """The DSN that leads through a PgBouncer, in a run of `make test-pgbouncer`."""
    if "FESTINGER_PGBOUNCER" not in os.environ:
        yield None
        return
    with Bouncer(postgres) as bouncer:
        yield bouncer.dsn


@pytest.fixture
async def pool(database: str, bouncer: str | None) -> AsyncIterator[Pool]:
    """Connections to the test's database."""
    name = urlsplit(database).path.lstrip("/")
    update = {"pooler": dsn_of(bouncer, name)} if bouncer else {}
    async with await open_pool(database, DATABASE.model_copy(update=update)) as pool:
        yield pool


@pytest.fixture
def store(pool: Pool) -> PostgresStore:
    """A store over the test's database, with a dictionary of a few words."""
    return PostgresStore(pool, DICTIONARY)


@pytest.fixture
def clock() -> Clock:
    """The time of the test's memories."""
    return Clock()


@pytest.fixture
async def memories(store: PostgresStore, clock: Clock) -> AsyncIterator[Memories]:
    """The memories over the test's store."""
    memories = Memories(store, now=clock, trust=TRUST)
    yield memories
    await memories.stop()


@pytest.fixture
def model() -> ScriptedModel:
    """The language model of the test's server: it says what the test writes down."""
    return ScriptedModel()


@pytest.fixture
async def resolver(
    memories: Memories, model: ScriptedModel, store: PostgresStore, clock: Clock
) -> AsyncIterator[Resolver]:
    """The resolver of the test's server, which asks the scripted model."""
    resolver = Resolver(memories, model, store.runs, now=clock)
    yield resolver
    await resolver.stop()


@pytest.fixture
async def dreamer(
    memories: Memories, model: ScriptedModel, store: PostgresStore, clock: Clock
) -> AsyncIterator[Dreamer]:
    """Has the scripted model look into the backlog, when the test has it dream."""
    dreamer = Dreamer(
        memories, model, store.models, store.backlog, store.dream_runs, now=clock
    )
    yield dreamer
    await dreamer.stop()


@pytest.fixture(scope="session")
def reader() -> Iterator[WorkerProcess]:
    """The process that reads documents for all tests."""
    reader = WorkerProcess(DICTIONARY)
    yield reader
    reader.close()


@pytest.fixture
async def ingester(
    memories: Memories,
    store: PostgresStore,
    reader: WorkerProcess,
    clock: Clock,
    tmp_path: Path,
) -> AsyncIterator[Ingester]:
    """Read documents into the test's memories; its reports are below `tmp_path`."""
    extraction = WaveExtraction(
        memories,
        store.documents,
        store.sweeps,
        reader,
        ReportFolders(tmp_path),
        now=clock,
    )
    yield Ingester(store.documents, reader, extraction, now=clock)
    await extraction.stop()


@pytest.fixture
async def memory_extractor(
    memories: Memories, model: ScriptedModel, store: PostgresStore, clock: Clock
) -> AsyncIterator[MemoryExtractor]:
    """Has the scripted model read conversations, when the test has it look."""
    memory_extractor = MemoryExtractor(
        memories, model, store.interactions, Here(), now=clock
    )
    yield memory_extractor
    await memory_extractor.stop()


@pytest.fixture
def questioner(memories: Memories, store: PostgresStore, clock: Clock) -> Questioner:
    """Ask people, when the test has it look."""
    return Questioner(memories, store.questions, now=clock)


@pytest.fixture
def retrainer(
    memories: Memories, store: PostgresStore, clock: Clock, tmp_path: Path
) -> Retrainer:
    """Learn from people's answers, when the test has it look; files are below `tmp_path`."""
    return Retrainer(memories, store.lessons, LabelFolder(tmp_path), now=clock)


@pytest.fixture
def ballots(pool: Pool) -> Ballots:
    """Write what people answered."""
    return Ballots(pool)


@pytest.fixture
async def provider() -> AsyncIterator[ProviderStandIn]:
    """A stand-in for those who have language models."""
    async with ProviderStandIn() as provider:
        yield provider


@pytest.fixture
def pauses() -> list[float]:
    """The pauses before requests to models were repeated."""
    return []


@pytest.fixture
def keyring(tmp_path: Path) -> FileKeyring:
    """The keyring of a data directory of the test's own."""
    # What it encrypts with never gives its memory back, and all tests load this file.
    from festinger.llm.keyring import FileKeyring

    return FileKeyring(tmp_path)


@pytest.fixture
def asker(
    store: PostgresStore,
    memories: Memories,
    keyring: FileKeyring,
    provider: ProviderStandIn,
    clock: Clock,
    pauses: list[float],
) -> ModelAsker:
    """Ask models of the stand-in, and never waits."""

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return ModelAsker(
        store.models,
        keyring,
        providers([provider.url]),
        memories,
        now=clock,
        sleep=sleep,
        jitter=lambda: 0.5,
    )


@pytest.fixture
def models(store: PostgresStore, keyring: FileKeyring, asker: ModelAsker) -> Models:
    """The models of the test's store."""
    return Models(
        store.models, keyring, asker, monotonic=time.monotonic, own="127.0.0.1:11435"
    )


@pytest.fixture
async def serve(
    memories: Memories,
    store: PostgresStore,
    models: Models,
    resolver: Resolver,
    ingester: Ingester,
    memory_extractor: MemoryExtractor,
    dreamer: Dreamer,
    questioner: Questioner,
    retrainer: Retrainer,
    tmp_path: Path,
) -> AsyncIterator[Serve]:
    """Start a server over the test's memories; give it and a client of it."""
    async with AsyncExitStack() as stack:

        async def start(**settings: Any) -> tuple[MemoryServer, Client]:
            values = {
                "address": "127.0.0.1:0",
                "drain_seconds": 5.0,
                # Tests share the processors, and must not be answered "busy" for that.
                "queue_milliseconds_max": 5000,
                **settings,
            }
            section = ServerSettings.model_validate(values)
            server = MemoryServer(
                section,
                memories,
                Client.callers(),
                ServiceRegistry(
                    models=models,
                    resolver=resolver,
                    reading=TurnReading(store.unread),
                    memory_extractor=memory_extractor,
                    ingester=ingester,
                    questioner=questioner,
                    dreamer=dreamer,
                    retrainer=retrainer,
                    predicates=store.predicates,
                ),
                AuditLog(tmp_path / "audit.log"),
            )
            address = await server.start()
            stack.push_async_callback(server.stop)
            channel = grpc.aio.insecure_channel(address)
            await stack.enter_async_context(channel)
            return server, Client(channel, address)

        yield start


@pytest.fixture
async def client(serve: Serve) -> Client:
    """A client of a server over the test's memories."""
    _, client = await serve()
    return client


@pytest.fixture
def extracted(memories: Memories, pool: Pool) -> Extractor:
    """The candidates that extractors find."""
    return Extractor(memories, pool)


@pytest.fixture
async def others(pool: Pool, clock: Clock) -> AsyncIterator[Memories]:
    """The memories of another server on the same database."""
    others = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    yield others
    await others.stop()
