"""The bots that ask people in chats."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from festinger.chat import bots
from festinger.config import Settings
from festinger.credentials import BOTS, read_token, token_file
from festinger.errors import ConfigurationError
from festinger.programs import RunningServices, now


@asynccontextmanager
async def chatting(settings: Settings) -> AsyncIterator[RunningServices]:
    """Run the bots."""

    def token() -> str | None:
        """Return the bots' token; None for none."""
        # Read for every call, so that a replaced token takes effect without a restart.
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
        yield RunningServices(
            platforms=started.platforms,
            chat=started.address,
            apply=lambda changed: started.apply(changed.validation),
        )
