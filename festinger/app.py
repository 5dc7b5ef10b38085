"""Composition root: opens the store, wires the services and starts the servers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from aiohttp import web

from festinger.audit import AuditLog, audit_file
from festinger.certificates import encryption_of
from festinger.chat import bots
from festinger.config import (
    ConfigSource,
    Settings,
    Trust,
    TrustSettings,
    host_and_port,
    reachable,
)
from festinger.console import Console
from festinger.core.language.turns import Role
from festinger.credentials import (
    BOTS,
    OPERATOR,
    SHIM,
    KnownTokens,
    ensure_tokens,
    read_token,
    token_file,
)
from festinger.credentials import (
    LOOK_SECONDS as TOKEN_SECONDS,
)
from festinger.errors import ConfigurationError, ServedElsewhere
from festinger.metrics.listener import MetricsListener
from festinger.metrics.server import registry_of
from festinger.opening import (
    DEFAULT_TENANT,
    SILENT,
    StartProgress,
    open_store,
    require_free,
    sole_server,
)
from festinger.rpc.server import MemoryServer
from festinger.running import announced
from festinger.services.language.forgetting import Forgetter
from festinger.services.system.pruner import Pruner
from festinger.services.world.memory import Memories
from festinger.shim.app import Shim
from festinger.shim.proxy.guard import HostGuard
from festinger.shim.proxy.tokens import TokenGuard
from festinger.store.review.reports import ReportFolders
from festinger.wiring import complaints, hire, now
from festinger.workers.follower import POLL_SECONDS, Follower
from festinger.workers.periodic import (
    CERTIFICATE_SECONDS,
    FLUSH_SECONDS,
    FORGET_SECONDS,
    SWEEP_SECONDS,
    WATCH_SECONDS,
    DatabaseWatch,
    every,
)
from festinger.workers.reconfigure import LOOK_SECONDS, Reconfigurer

SWITCH_SECONDS = 0.0005
"""Maximum time that the thread which reads long messages keeps the event loop waiting, in
seconds; Python's own value is a tenth of what a prompt may wait."""


@dataclass(frozen=True, slots=True)
class Running:
    """The running services and their addresses.

    Attributes:
        server: Address of the memory server; empty if it does not run.
        shim: Address of the shim; empty if it does not run.
        metrics: Address of the server's metrics; empty if they are not served.
        platforms: Platforms on which bots ask people.
        chat: Address on which the bots receive answers; empty if they do not listen.
        apply: Applies those changes of a configuration that need no restart.
    """

    server: str = ""
    shim: str = ""
    metrics: str = ""
    platforms: Sequence[str] = ()
    chat: str = ""
    apply: Callable[[Settings], None] = lambda settings: None


@asynccontextmanager
async def serving(
    settings: Settings,
    progress: StartProgress = SILENT,
    source: ConfigSource | None = None,
) -> AsyncIterator[Running]:
    """Run the memory server.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: The start fails; the message says why and what to do.
    """
    async with (
        _serving(settings, progress) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def shimming(
    settings: Settings, source: ConfigSource | None = None
) -> AsyncIterator[Running]:
    """Run the shim, which tolerates outages of the memory server.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: The start fails; the message says why and what to do.
    """
    async with (
        _shimming(settings) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def chatting(
    settings: Settings, source: ConfigSource | None = None
) -> AsyncIterator[Running]:
    """Run the bots, which tolerate outages of the memory server and the platforms.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: The start fails; the message says why and what to do.
    """
    if not settings.chat.platforms:
        raise ConfigurationError(
            "no platform is set on which to ask people. Set chat.matrix, chat.slack or "
            "chat.webhook; `festinger check --explain` says how"
        )
    async with (
        _chatting(settings) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def everything(
    settings: Settings,
    progress: StartProgress = SILENT,
    source: ConfigSource | None = None,
) -> AsyncIterator[Running]:
    """Run server, shim and bots on one machine.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: The start fails; the message says why and what to do.
    """
    require_free("shim", settings.shim.address)
    async with _serving(settings, progress) as server:
        section = settings.server.model_copy(
            update={"address": reachable(server.server)}
        )
        located = settings.model_copy(update={"server": section})
        async with _shimming(located) as shim, _chatting(located) as chat:

            def apply(changed: Settings) -> None:
                shim.apply(changed)  # first, since it may raise
                server.apply(changed)
                chat.apply(changed)

            running = Running(
                server.server,
                shim.shim,
                server.metrics,
                chat.platforms,
                chat.chat,
                apply,
            )
            async with _reconfigured(running, source, settings):
                yield running


@asynccontextmanager
async def _serving(
    settings: Settings, progress: StartProgress
) -> AsyncIterator[Running]:
    require_free("server", settings.server.address)
    sys.setswitchinterval(SWITCH_SECONDS)
    async with AsyncExitStack() as stack:
        stack.enter_context(sole_server(settings.data_dir))
        ensure_tokens(settings.data_dir)
        tokens = KnownTokens(settings.data_dir)
        store, revive = await open_store(settings, progress, stack)
        trust = _trust(settings.trust)
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
        stack.push_async_callback(memories.stop)
        with suppress(ServedElsewhere):
            await memories.get(DEFAULT_TENANT)
        crew = hire(settings, store, memories, stack)
        server = MemoryServer(
            settings.server,
            memories,
            tokens.callers,
            crew.registry(store),
            AuditLog(audit_file(settings.data_dir)),
        )
        forgetter = Forgetter(memories, days=settings.memory.keep_days, now=now)
        pruner = Pruner(
            store, settings.retention, ReportFolders(settings.data_dir), now=now
        )
        watch = DatabaseWatch(store.ping, revive, server.set_database)
        clock = asyncio.get_running_loop().time
        follower = Follower(memories, server.recommend, clock, now)

        async def look_at_tokens() -> None:
            ensure_tokens(settings.data_dir)
            server.set_callers(tokens.callers)

        for seconds, name, action in (
            (FLUSH_SECONDS, "flush", memories.flush),
            (SWEEP_SECONDS, "sweep", memories.sweep),
            (FORGET_SECONDS, "forget", forgetter.look),
            (FORGET_SECONDS, "prune", pruner.look),
            (WATCH_SECONDS, "watch", watch.look),
            (POLL_SECONDS, "follow", follower.look),
            (TOKEN_SECONDS, "tokens", look_at_tokens),
            *crew.duties(),
        ):
            task = asyncio.create_task(every(seconds, name, action))
            stack.push_async_callback(_cancel, task)
        metrics = await _metrics(settings, memories, follower, tokens, stack)
        # Last in, first out: calls end before the memories they use are closed.
        stack.push_async_callback(server.stop)
        address = await server.start()
        stack.enter_context(announced(settings.data_dir, reachable(address)))

        def apply(changed: Settings) -> None:
            # The memories share this mapping.
            trust.update(_trust(changed.trust))
            crew.apply(changed)
            server.limits.settings = changed.server
            memories.limit_lines(lambda it: changed.server.limits_of(it).lines_max)

        yield Running(server=address, metrics=metrics, apply=apply)


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
    hosts = HostGuard(host, section.allowed_hosts, "server.allowed_hosts")
    guard = TokenGuard(host, lambda token: tokens.name_of(token, DEFAULT_TENANT))

    def check(request: web.BaseRequest) -> None:
        hosts.check(request)
        guard.check(request)

    encryption = encryption_of(
        "server",
        address,
        section.tls,
        plain_text=section.plain_text,
        key="metrics_address",
    )
    listener = MetricsListener(address, registry, check, encryption)
    stack.push_async_callback(listener.stop)
    return await listener.start()


@asynccontextmanager
async def _shimming(settings: Settings) -> AsyncIterator[Running]:
    def token() -> str | None:
        return read_token(settings.data_dir, SHIM)

    console = Console(
        settings.shim,
        settings.server,
        lambda: read_token(settings.data_dir, OPERATOR),
        agents=token,
        now=now,
    )
    tokens = KnownTokens(settings.data_dir)
    async with Shim(
        settings.shim,
        settings.server,
        token,
        console,
        settings.learning,
        settings.embeddings,
        name_of=lambda token: tokens.name_of(token, settings.shim.tenant),
    ) as shim:
        look = every(CERTIFICATE_SECONDS, "certificates", shim.look_at_certificates)
        looking = asyncio.create_task(look)
        try:
            yield Running(
                shim=shim.address,
                apply=lambda it: shim.apply(it.shim, it.learning, it.embeddings),
            )
        finally:
            await _cancel(looking)


@asynccontextmanager
async def _chatting(settings: Settings) -> AsyncIterator[Running]:
    if not settings.chat.platforms:
        yield Running()
        return

    def token() -> str | None:
        return read_token(settings.data_dir, BOTS)

    if not token():
        file = token_file(settings.data_dir, BOTS)
        raise ConfigurationError(
            f"the bots need the token in {file}, which is not there or not yours to "
            "read. The memory server makes it at its first start: name its data "
            "directory with --data-dir, or copy the file"
        )
    async with bots.running(
        settings.chat,
        settings.validation,
        settings.data_dir / "chat",
        settings.server,
        token,
        now,
    ) as started:
        yield Running(
            platforms=started.platforms,
            chat=started.address,
            apply=lambda changed: started.apply(changed.validation),
        )


@asynccontextmanager
async def _reconfigured(
    running: Running, source: ConfigSource | None, settings: Settings
) -> AsyncIterator[None]:
    """Apply changes of the configuration file while the block runs."""
    if source is None or source.file is None:
        yield
        return
    look = Reconfigurer(source, settings, running.apply).look
    task = asyncio.create_task(every(LOOK_SECONDS, "reconfigure", look))
    try:
        yield
    finally:
        await _cancel(task)


def _trust(settings: TrustSettings) -> dict[Role, Trust]:
    return {role: getattr(settings, role.value) for role in Role}


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
