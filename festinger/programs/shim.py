"""The shim with its console."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from festinger.config import Settings
from festinger.console import Console
from festinger.credentials import OPERATOR, SHIM, KnownTokens, read_token
from festinger.lifetimes import cancel_all
from festinger.programs import RunningServices, now
from festinger.shim.app import Shim
from festinger.workers.periodic import every


@asynccontextmanager
async def shimming(settings: Settings) -> AsyncIterator[RunningServices]:
    """Run the shim."""

    def token() -> str | None:
        """Return the shim's token; None for none."""
        return read_token(settings.data_dir, SHIM)

    console = Console(
        settings.shim,
        settings.server,
        # The console acts as an operator; a replaced token takes effect without a restart.
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
        # Certificates are replaced while the shim runs, as by certbot.
        look = every(5.0, "certificates", shim.look_at_certificates)
        looking = asyncio.create_task(look)
        try:
            yield RunningServices(
                shim=shim.address,
                apply=lambda it: shim.apply(it.shim, it.learning, it.embeddings),
            )
        finally:
            await cancel_all([looking])
