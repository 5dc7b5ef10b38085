"""The memory server, with its store and what works beside it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial

from aiohttp import web

from festinger.audit import AuditLog, audit_file
from festinger.certificates import encryption_of
from festinger.config import (
    RoleTrust,
    Settings,
    TrustSettings,
    host_and_port,
    reachable,
)
from festinger.core.language.turns import Role
from festinger.core.system.keyforms import detectors
from festinger.credentials import LOOK_SECONDS as TOKEN_SECONDS
from festinger.credentials import KnownTokens, ensure_tokens
from festinger.errors import ServedElsewhere
from festinger.lifetimes import cancel_all
from festinger.metrics.server import listener_of, registry_of
from festinger.programs import (
    RunningServices,
    StartProgress,
    complaints,
    log,
    now,
    require_free,
)
from festinger.rpc.server import MemoryServer
from festinger.running import announced
from festinger.services.language.beginning import Beginner
from festinger.services.language.forgetting import Forgetter
from festinger.services.language.stating import UNSETTLED_SECONDS, ChangeFinisher
from festinger.services.system.pruner import Pruner
from festinger.services.world.memory import Memories
from festinger.shim.proxy.guard import HostGuard
from festinger.shim.proxy.tokens import TokenGuard
from festinger.startup import (
    DEFAULT_TENANT,
    open_store,
    sole_server,
)
from festinger.store.postgres import PostgresStore
from festinger.store.review.reports import ReportFolders
from festinger.wiring import PeriodicTask, create_services
from festinger.workers.follower import POLL_SECONDS, Follower
from festinger.workers.periodic import DatabaseWatch, every

WATCH_SECONDS = 1.0
"""The interval between pings of the database, in seconds."""
SWITCH_SECONDS = 0.0005
"""Maximum time that the thread which reads long messages keeps the event loop waiting, in
seconds; Python's own value is a tenth of what a prompt may wait."""


@asynccontextmanager
async def serving(
    settings: Settings, progress: StartProgress
) -> AsyncIterator[RunningServices]:
    """Run the memory server."""
    # Before the database is started, which takes a second or more.
    require_free("server", settings.server.address)
    sys.setswitchinterval(SWITCH_SECONDS)
    # What is entered first ends last: the store outlives the memories, and these the server.
    async with AsyncExitStack() as stack:
        # Two servers in one data directory would write the same files.
        stack.enter_context(sole_server(settings.data_dir))
        # Made by the first start, so that the shim and the bots find theirs.
        ensure_tokens(settings.data_dir)
        tokens = KnownTokens(settings.data_dir)
        store, revive = await open_store(settings, progress, stack)
        trust = _trust(settings.trust)
        memories = await _memories(settings, store, trust, stack)
        services = create_services(settings, store, memories, stack)
        server = MemoryServer(
            settings.server,
            memories,
            tokens.callers,
            services.registry,
            AuditLog(audit_file(settings.data_dir)),
        )
        finisher = ChangeFinisher(
            memories, store, now=now, complain=complaints("change")
        )
        forgetter = Forgetter(memories, days=settings.memory.keep_days, now=now)
        pruner = Pruner(
            store, settings.retention, ReportFolders(settings.data_dir), now=now
        )
        watch = DatabaseWatch(store.ping, revive, server.set_database)
        # Monotonic, unlike `now`: silence is measured.
        clock = asyncio.get_running_loop().time
        follower = Follower(memories, server.recommend, clock, now)

        # Started before the server listens: they end after it, and write what it accepted.
        _start(
            stack,
            (30.0, "flush", memories.flush),
            (5.0, "sweep", memories.sweep),
            (UNSETTLED_SECONDS, "change", finisher.look),
            (30.0, "begin", Beginner(memories, now=now).look),
            (6 * 3600.0, "forget", forgetter.look),
            (6 * 3600.0, "prune", pruner.look),
            (WATCH_SECONDS, "watch", watch.look),
            (POLL_SECONDS, "follow", follower.look),
            (TOKEN_SECONDS, "tokens", partial(_reread, tokens, server, settings)),
            *services.tasks,
        )
        metrics = await _metrics(settings, memories, follower, tokens, stack)
        # Last in, first out: calls end before the memories they use are closed.
        stack.push_async_callback(server.stop)
        address = await server.start()
        # The prompt with the first key in it would wait for their import.
        asyncio.get_running_loop().run_in_executor(None, detectors)
        # Last: clients that find the address find a server that answers.
        stack.enter_context(announced(settings.data_dir, reachable(address)))

        def apply(changed: Settings) -> None:
            """Apply changed settings to the running server."""
            # The memories share this mapping.
            trust.update(_trust(changed.trust))
            services.apply(changed)
            server.limits.settings = changed.server
            memories.limit_lines(lambda it: changed.server.limits_of(it).lines_max)

        yield RunningServices(server=address, metrics=metrics, apply=apply)


async def _memories(
    settings: Settings,
    store: PostgresStore,
    trust: Mapping[Role, RoleTrust],
    stack: AsyncExitStack,
) -> Memories:
    """Create the registry of memories; the default tenant's is loaded at once."""
    memories = Memories(
        store,
        now=now,
        trust=trust,
        complain=complaints("set_aside"),
        keeps=settings.memory.keep,
        lines_max=lambda tenant: settings.server.limits_of(tenant).lines_max,
        server=settings.server.name,
        keep_days=settings.memory.keep_days,
    )
    # Writes what is queued, when the server has stopped taking calls.
    stack.push_async_callback(memories.stop)
    with suppress(ServedElsewhere):
        await memories.get(DEFAULT_TENANT)
    return memories


async def _reread(
    tokens: KnownTokens, server: MemoryServer, settings: Settings
) -> None:
    """Reread the tokens."""
    # A token that was deleted is made again, and those of an edited file are read.
    ensure_tokens(settings.data_dir)
    server.set_callers(tokens.callers)


def _start(stack: AsyncExitStack, *tasks: PeriodicTask) -> None:
    """Start periodic tasks, which end when the stack is closed."""
    for seconds, name, action in tasks:
        task = asyncio.create_task(every(seconds, name, action))
        stack.push_async_callback(cancel_all, [task])


async def _metrics(
    settings: Settings,
    memories: Memories,
    follower: Follower,
    tokens: KnownTokens,
    stack: AsyncExitStack,
) -> str:
    """Serve the server's metrics as configured; return the address, if any."""
    section = settings.server
    if (address := section.metrics_address) is None:
        return ""
    host, _ = host_and_port(address)
    registry = registry_of(memories, now, lambda: follower.silence)
    # Against pages that reach this address by a name of their own (DNS rebinding).
    hosts = HostGuard(host, section.allowed_hosts, "server.allowed_hosts")
    guard = TokenGuard(host, lambda token: tokens.name_of(token, DEFAULT_TENANT))

    def check(request: web.BaseRequest) -> None:
        """Refuse foreign hosts, then what the guard refuses."""
        hosts.check(request)
        guard.check(request)

    encryption = encryption_of(
        "server",
        address,
        section.tls,
        plain_text=section.plain_text,
        key="metrics_address",
    )
    listener = listener_of(address, registry, check, encryption)
    stack.push_async_callback(listener.stop)
    address = await listener.start()
    log.info("metrics_ready", address=address)
    return address


def _trust(settings: TrustSettings) -> dict[Role, RoleTrust]:
    return {role: getattr(settings, role.value) for role in Role}
