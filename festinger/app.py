"""Composition root: starts the programs, alone or together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TypeAlias

from festinger.config import ConfigSource, Settings, reachable
from festinger.errors import ConfigurationError
from festinger.lifetimes import cancel_all
from festinger.programs import SILENT, RunningServices, StartProgress, require_free
from festinger.workers.periodic import every
from festinger.workers.reconfigure import LOOK_SECONDS, Reconfigurer

Running: TypeAlias = AbstractAsyncContextManager[RunningServices]
"""A program that runs while the context is active."""


def serving(
    settings: Settings,
    progress: StartProgress = SILENT,
    source: ConfigSource | None = None,
) -> Running:
    """Run the memory server; read `source` again on changes. Raises `FestingerError`."""
    return _reconfigured(_serving(settings, progress), source, settings)


def shimming(settings: Settings, source: ConfigSource | None = None) -> Running:
    """Run the shim, which tolerates outages of the server. Raises `FestingerError`."""
    return _reconfigured(_shimming(settings), source, settings)


def chatting(settings: Settings, source: ConfigSource | None = None) -> Running:
    """Run the bots, which tolerate outages of all others. Raises `FestingerError`."""
    # The program of its own has nothing else to do; `everything` just starts no bots.
    if not settings.chat.platforms:
        raise ConfigurationError(
            "no platform is set on which to ask people. Set chat.matrix, chat.slack or "
            "chat.webhook; `festinger check --explain` says how"
        )
    return _reconfigured(_chatting(settings), source, settings)


def everything(
    settings: Settings,
    progress: StartProgress = SILENT,
    source: ConfigSource | None = None,
) -> Running:
    """Run server, shim and bots on one machine. Raises `FestingerError`."""
    return _reconfigured(_everything(settings, progress), source, settings)


@asynccontextmanager
async def _everything(
    settings: Settings, progress: StartProgress
) -> AsyncIterator[RunningServices]:
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

            yield RunningServices(
                server.server,
                shim.shim,
                server.metrics,
                chat.platforms,
                chat.chat,
                apply,
            )


@asynccontextmanager
async def _reconfigured(
    program: Running, source: ConfigSource | None, settings: Settings
) -> AsyncIterator[RunningServices]:
    """Run a program, and apply changes of the configuration file meanwhile."""
    async with program as running:
        # Settings of the environment and of options alone have no file that could change.
        if source is None or source.file is None:
            yield running
            return
        look = Reconfigurer(source, settings, running.apply).look
        task = asyncio.create_task(every(LOOK_SECONDS, "reconfigure", look))
        try:
            yield running
        finally:
            await cancel_all([task])


def _serving(settings: Settings, progress: StartProgress) -> Running:
    # Imported when it is run: a shim that was killed is back sooner without the server's
    # modules. The same holds for the others below.
    from festinger.programs import server

    return server.serving(settings, progress)


def _shimming(settings: Settings) -> Running:
    from festinger.programs import shim

    return shim.shimming(settings)


def _chatting(settings: Settings) -> Running:
    # The bots are optional beside server and shim.
    if not settings.chat.platforms:
        return nullcontext(RunningServices())
    from festinger.programs import bots

    return bots.chatting(settings)
