"""Which loaded model may be asked now, and where it is."""

from __future__ import annotations

import asyncio
from typing import Final

import aiohttp

from festinger.shim.language.loaded import LoadedModel, choose, loaded_in
from festinger.shim.proxy.proxy import Upstream
from festinger.shim.proxy.upstreams import Upstreams

LOOK_SECONDS_MAX: Final = 5.0
"""How long an upstream may take to say what is loaded."""
EXPIRY_SECONDS: Final = 5.0
"""A model that is unloaded within so many seconds is not asked any more."""


class NoModelToAsk(Exception):
    """No loaded model may be asked now; says why."""


class ModelFinder:
    """Looks for the agents' own model, and for how long they keep it loaded.

    Args:
        upstreams: Where models are.
    """

    def __init__(self, upstreams: Upstreams) -> None:
        self._upstreams = upstreams
        self._deadline: float | None = None

    def renew(self) -> None:
        """A prompt came: the model is kept anew from now on."""
        self._deadline = None

    async def find(self, last: str, now: float) -> tuple[Upstream, LoadedModel]:
        """Return the model to ask, and where it is.

        Args:
            last: Which model the last prompt asked; empty before the first.
            now: Seconds since the epoch.

        Raises:
            NoModelToAsk: There is none.
        """
        for member in self._upstreams.members:
            model = choose(await _loaded(member.target), last)
            if model is None:
                continue
            if self._deadline is None:
                # Our own requests move the time at which it is unloaded. What holds is
                # the one that the agents' prompts have set.
                self._deadline = model.expires
            # A request that came just after it was unloaded would load it.
            if now + EXPIRY_SECONDS >= min(self._deadline, model.expires):
                raise NoModelToAsk("nobody has prompted for the model's keep-alive")
            return member.target, model
        raise NoModelToAsk("no model is loaded")


async def _loaded(upstream: Upstream) -> list[LoadedModel]:
    """Return what an upstream has loaded; nothing if it does not say."""
    try:
        async with asyncio.timeout(LOOK_SECONDS_MAX):
            status, body = await upstream.loaded()
    except (aiohttp.ClientError, OSError, ValueError, TimeoutError):
        return []
    return loaded_in(body) if status == 200 else []
