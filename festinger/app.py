"""Composition root: starts the programs, alone or together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from festinger.config import ConfigSource, Settings, reachable
from festinger.errors import ConfigurationError
from festinger.lifetimes import cancel_all
from festinger.programs import SILENT, RunningServices, StartProgress, require_free
from festinger.workers.periodic import every
from festinger.workers.reconfigure import LOOK_SECONDS, Reconfigurer


@asynccontextmanager
async def serving(
    settings: Settings,
    progress: StartProgress = SILENT,
    source: ConfigSource | None = None,
) -> AsyncIterator[RunningServices]:
    """Run the memory server; read `source` again on changes. Raises `FestingerError`."""
    async with (
        _serving(settings, progress) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def shimming(
    settings: Settings, source: ConfigSource | None = None
) -> AsyncIterator[RunningServices]:
    """Run the shim, which tolerates outages of the server. Raises `FestingerError`."""
    async with (
        _shimming(settings) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def chatting(
    settings: Settings, source: ConfigSource | None = None
) -> AsyncIterator[RunningServices]:
    """Run the bots, which tolerate outages of all others. Raises `FestingerError`."""
    # The program of its own has nothing else to do; `everything` just starts no bots.
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
) -> AsyncIterator[RunningServices]:
    """Run server, shim and bots on one machine. Raises `FestingerError`."""
    # An address in use is told before the database is started.
    require_free("shim", settings.shim.address)
    async with _serving(settings, progress) as server:
        # The server may listen on 0.0.0.0 or on port 0, to which nobody can connect.
        section = settings.server.model_copy(
            update={"address": reachable(server.server)}
        )
        located = settings.model_copy(update={"server": section})
        async with _shimming(located) as shim, _chatting(located) as chat:

            def apply(changed: Settings) -> None:
                """Apply changed settings to all parts."""
                # First, since it may raise, and then nothing has changed.
                shim.apply(changed)
                server.apply(changed)
                chat.apply(changed)

            running = RunningServices(
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
async def _reconfigured(
    running: RunningServices, source: ConfigSource | None, settings: Settings
) -> AsyncIterator[None]:
    """Apply changes of the configuration file while the block runs."""
    # Settings of the environment and of options alone have no file that could change.
    if source is None or source.file is None:
        yield
        return
    look = Reconfigurer(source, settings, running.apply).look
    task = asyncio.create_task(every(LOOK_SECONDS, "reconfigure", look))
    try:
        yield
    finally:
        await cancel_all([task])


@asynccontextmanager
async def _serving(
    settings: Settings, progress: StartProgress
) -> AsyncIterator[RunningServices]:
    # Imported when it is run: a shim that was killed is back sooner without the server's
    # modules. The same holds for the others below.
    from festinger.programs import server

    async with server.serving(settings, progress) as running:
        yield running


@asynccontextmanager
async def _shimming(settings: Settings) -> AsyncIterator[RunningServices]:
    from festinger.programs import shim

    async with shim.shimming(settings) as running:
        yield running


@asynccontextmanager
async def _chatting(settings: Settings) -> AsyncIterator[RunningServices]:
    # The bots are optional beside server and shim.
    if not settings.chat.platforms:
        yield RunningServices()
        return
    from festinger.programs import bots

    async with bots.chatting(settings) as running:
        yield running
