"""The composition root: opens the adapters, wires the flows, closes in reverse."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog

from festinger.config import (
    Settings,
    Source,
    Trust,
    TrustSettings,
    host_and_port,
    require_loopback,
)
from festinger.console import Console
from festinger.core.reading import Role
from festinger.credentials import OPERATOR, SHIM, ensure_callers, read_token
from festinger.errors import AddressInUse, ConfigurationError, DataDirectoryInUse
from festinger.flows.asking import Asker, Limits
from festinger.flows.extracting import Extraction
from festinger.flows.ingesting import Ingester
from festinger.flows.inquirer import Inquirer
from festinger.flows.memory import Memories
from festinger.flows.models import Models
from festinger.flows.rememberer import Rememberer
from festinger.flows.resolver import Resolver
from festinger.llm.keyring import FileKeyring
from festinger.llm.providers import providers
from festinger.metrics.listener import Listener
from festinger.metrics.server import registry_of
from festinger.rpc.server import Server
from festinger.shim.app import Shim
from festinger.shim.guard import HostGuard
from festinger.store import dictionary
from festinger.store.embedded import EmbeddedPostgres
from festinger.store.embedded.place import made_open
from festinger.store.migrations import migrate
from festinger.store.pool import close_pool, open_pool, translated
from festinger.store.postgres import PostgresStore
from festinger.store.reports import ReportFolders
from festinger.workers.apart import Apart
from festinger.workers.follower import POLL_SECONDS, Follower
from festinger.workers.periodic import (
    EXTRACT_SECONDS,
    FLUSH_SECONDS,
    INQUIRE_SECONDS,
    LISTEN_SECONDS,
    PRUNE_SECONDS,
    REMEMBER_SECONDS,
    RESOLVE_SECONDS,
    SWEEP_SECONDS,
    WATCH_SECONDS,
    DatabaseWatch,
    every,
)
from festinger.workers.reconfigure import LOOK_SECONDS, Reconfigurer

_LOG = structlog.get_logger(__name__)

DEFAULT_TENANT = "default"


@dataclass(frozen=True, slots=True)
class Progress:
    """Whom to tell how the start goes.

    Attributes:
        say: Gets a sentence for people.
        dictionary: Gets the share of the dictionary that is loaded, in [0.0, 1.0].
    """

    say: Callable[[str], None] = lambda message: None
    dictionary: Callable[[float], None] = lambda share: None


@dataclass(frozen=True, slots=True)
class Running:
    """What was started, and where it listens.

    Attributes:
        metrics: Where the server's numbers are; empty for nowhere.
        apply: Takes a changed configuration over, as far as it can.
    """

    server: str = ""
    shim: str = ""
    metrics: str = ""
    apply: Callable[[Settings], None] = lambda settings: None


@asynccontextmanager
async def serving(
    settings: Settings, progress: Progress = Progress(), source: Source | None = None
) -> AsyncIterator[Running]:
    """Runs the memory server.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with (
        _serving(settings, progress) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def shimming(
    settings: Settings, source: Source | None = None
) -> AsyncIterator[Running]:
    """Runs the shim; the memory server may come and go.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with (
        _shimming(settings) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def everything(
    settings: Settings, progress: Progress = Progress(), source: Source | None = None
) -> AsyncIterator[Running]:
    """Runs server and shim on one machine.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    require_free("shim", settings.shim.address)
    async with _serving(settings, progress) as server:
        section = settings.server.model_copy(update={"address": server.server})
        located = settings.model_copy(update={"server": section})
        async with _shimming(located) as shim:

            def apply(changed: Settings) -> None:
                shim.apply(changed)  # first, for it may refuse
                server.apply(changed)

            running = Running(server.server, shim.shim, server.metrics, apply)
            async with _reconfigured(running, source, settings):
                yield running


@asynccontextmanager
async def _serving(settings: Settings, progress: Progress) -> AsyncIterator[Running]:
    require_free("server", settings.server.address)
    async with AsyncExitStack() as stack:
        stack.enter_context(sole_server(settings.data_dir))
        callers = ensure_callers(settings.data_dir)
        store, revive = await _open_store(settings, progress, stack)
        trust = _trust(settings.trust)
        memories = Memories(
            store,
            now=now,
            trust=trust,
            complain=lambda message: _LOG.warning("set_aside", problem=message),
        )
        stack.push_async_callback(memories.stop)
        await memories.get(DEFAULT_TENANT)
        models = _models(settings, store, memories)
        resolver = Resolver(
            memories,
            models.asker,
            store.runs,
            now=now,
            complain=lambda message: _LOG.warning("resolver", problem=message),
        )
        stack.push_async_callback(resolver.stop)
        inquirer = Inquirer(
            memories,
            models.asker,
            store.inquiries,
            now=now,
            complain=lambda message: _LOG.warning("inquirer", problem=message),
        )
        stack.push_async_callback(inquirer.stop)
        apart = Apart(store.dictionary)
        stack.callback(apart.close)
        rememberer = Rememberer(
            memories,
            models.asker,
            store.interactions,
            apart,
            now=now,
            complain=lambda message: _LOG.warning("rememberer", problem=message),
        )
        stack.push_async_callback(rememberer.stop)
        ingester = _ingester(settings, store, memories, apart, stack)
        server = Server(
            settings.server,
            memories,
            callers,
            models,
            resolver,
            inquirer,
            ingester,
            rememberer,
        )
        watch = DatabaseWatch(store.ping, revive, server.set_database)
        follower = Follower(memories, server.recommend, asyncio.get_running_loop().time)
        for seconds, name, action in (
            (FLUSH_SECONDS, "flush", memories.flush),
            (PRUNE_SECONDS, "prune", memories.prune),
            (SWEEP_SECONDS, "sweep", memories.sweep),
            (WATCH_SECONDS, "watch", watch.look),
            (POLL_SECONDS, "follow", follower.look),
            (RESOLVE_SECONDS, "resolve", resolver.look),
            (LISTEN_SECONDS, "listen", inquirer.listen),
            (INQUIRE_SECONDS, "inquire", inquirer.look),
            (REMEMBER_SECONDS, "remember", rememberer.look),
            (EXTRACT_SECONDS, "extract", ingester.extraction.look),
        ):
            task = asyncio.create_task(every(seconds, name, action))
            stack.push_async_callback(_cancel, task)
        metrics = await _metrics(settings, memories, follower, stack)
        address = await server.start()
        # Last in, first out: calls end before the memories they use are closed.
        stack.push_async_callback(server.stop)
        # The memories look into the same mapping.
        yield Running(
            server=address,
            metrics=metrics,
            apply=lambda it: trust.update(_trust(it.trust)),
        )


async def _metrics(
    settings: Settings, memories: Memories, follower: Follower, stack: AsyncExitStack
) -> str:
    """Serves the numbers of a server where its settings say; the address, if any."""
    section = settings.server
    if (address := section.metrics_address) is None:
        return ""
    require_loopback(
        "server",
        address,
        trusted_network=section.trusted_network,
        key="metrics_address",
    )
    host, _ = host_and_port(address)
    registry = registry_of(memories, now, lambda: follower.silence)
    check = HostGuard(host, section.allowed_hosts, "server.allowed_hosts").check
    listener = Listener(address, registry, check)
    stack.push_async_callback(listener.stop)
    return await listener.start()


@asynccontextmanager
async def _shimming(settings: Settings) -> AsyncIterator[Running]:
    token = read_token(settings.data_dir, SHIM)
    console = Console(
        settings.shim,
        settings.server.address,
        lambda: read_token(settings.data_dir, OPERATOR),
        now=now,
    )
    async with Shim(settings.shim, settings.server.address, token, console) as shim:
        yield Running(shim=shim.address, apply=lambda it: shim.apply(it.shim))


async def add_tenant(settings: Settings, tenant: str) -> bool:
    """Makes a memory; False if there is one of that name.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with AsyncExitStack() as stack:
        store, _ = await _open_store(settings, Progress(), stack)
        return await store.add_tenant(tenant)


async def tenants(settings: Settings) -> list[str]:
    """The names of the memories.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with AsyncExitStack() as stack:
        store, _ = await _open_store(settings, Progress(), stack)
        return await store.tenants()


def now() -> float:
    """Seconds since the epoch, in the microseconds that Postgres keeps."""
    return time.time_ns() // 1000 / 1e6


def require_free(name: str, address: str) -> None:
    """Looks whether an address is free, before a database is started for nothing.

    Raises:
        AddressInUse: Somebody listens there already.
        ConfigurationError: It is not an address of this machine.
    """
    host, port = host_and_port(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            option = f"--{name} or FESTINGER_{name.upper()}"
            if error.errno == errno.EADDRINUSE:
                raise AddressInUse(
                    f"another program listens on {address}, where the {name} should. "
                    f"Stop it, or choose another address with {option}"
                ) from None
            raise ConfigurationError(
                f"the {name} cannot listen on {address}: {error.strerror or error}. "
                f"Choose an address of this machine with {option}"
            ) from None


@contextmanager
def sole_server(data_dir: Path) -> Iterator[None]:
    """Makes sure that one server serves a data directory.

    Raises:
        DataDirectoryInUse: Another one does.
        ConfigurationError: It cannot be written.
    """
    prepare(data_dir)
    descriptor = os.open(data_dir / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise DataDirectoryInUse(
            f"another Festinger serves {data_dir}. Stop it, or choose another "
            "directory with --data-dir or FESTINGER_DATA_DIR"
        ) from None
    try:
        yield
    finally:
        os.close(descriptor)


def prepare(data_dir: Path) -> None:
    """Makes the data directory.

    Raises:
        ConfigurationError: It cannot be written.
    """
    try:
        made_open(data_dir)
        writable = os.access(data_dir, os.W_OK | os.X_OK)
    except OSError as error:
        raise ConfigurationError(
            f"cannot use {data_dir} as the data directory: {error.strerror}. Choose "
            "another with --data-dir or FESTINGER_DATA_DIR"
        ) from None
    if not writable:
        raise ConfigurationError(
            f"the data directory {data_dir} is not writable. Choose another with "
            "--data-dir or FESTINGER_DATA_DIR"
        )


async def _open_store(
    settings: Settings, progress: Progress, stack: AsyncExitStack
) -> tuple[PostgresStore, Callable[[], Awaitable[object]] | None]:
    """Opens the database and brings it up to date; says how to revive it."""
    prepare(settings.data_dir)
    words = await asyncio.to_thread(
        dictionary.load, settings.dictionary, settings.data_dir, progress.dictionary
    )
    dsn = settings.database.dsn
    revive: Callable[[], Awaitable[object]] | None = None
    if dsn is None:
        postgres = EmbeddedPostgres(settings.data_dir, report=progress.say)
        stack.push_async_callback(postgres.stop)
        dsn = await postgres.start()
        revive = postgres.start
    pool = await open_pool(dsn, settings.database, report=progress.say)
    stack.push_async_callback(close_pool, pool)
    async with translated():
        if await migrate(dsn, report=progress.say):
            progress.say("The database has the newest schema.")
    store = PostgresStore(pool, words)
    await store.add_tenant(DEFAULT_TENANT)
    return store, revive


@asynccontextmanager
async def _reconfigured(
    running: Running, source: Source | None, settings: Settings
) -> AsyncIterator[None]:
    """Has what runs follow its configuration."""
    if source is None or source.file is None:
        yield
        return
    look = Reconfigurer(source, settings, running.apply).look
    task = asyncio.create_task(every(LOOK_SECONDS, "reconfigure", look))
    try:
        yield
    finally:
        await _cancel(task)


def _models(settings: Settings, store: PostgresStore, memories: Memories) -> Models:
    """The models, and whom to ask for them."""
    keyring = FileKeyring(settings.data_dir, settings.models.keys)
    further = sorted(settings.shim.upstreams, key=lambda each: each.priority)
    upstreams = [settings.shim.upstream, *(each.url for each in further)]
    limits = Limits(
        answer_seconds_max=settings.models.answer_seconds_max,
        attempts_max=settings.models.attempts_max,
        calls_max=settings.models.calls_max,
    )
    asker = Asker(
        store.models, keyring, providers(upstreams), memories, now=now, limits=limits
    )
    return Models(
        store.models,
        keyring,
        asker,
        monotonic=time.monotonic,
        own=settings.shim.address,
    )


def _ingester(
    settings: Settings,
    store: PostgresStore,
    memories: Memories,
    reader: Apart,
    stack: AsyncExitStack,
) -> Ingester:
    """Reads documents, in a process of its own."""
    extraction = Extraction(
        memories,
        store.documents,
        store.sweeps,
        reader,
        ReportFolders(settings.data_dir),
        now=now,
        complain=lambda message: _LOG.warning("extraction", problem=message),
    )
    stack.push_async_callback(extraction.stop)
    return Ingester(store.documents, reader, extraction, now=now)


def _trust(settings: TrustSettings) -> dict[Role, Trust]:
    return {role: getattr(settings, role.value) for role in Role}


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
