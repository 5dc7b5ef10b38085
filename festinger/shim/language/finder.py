"""Search for a loaded model that may be queried now."""

from __future__ import annotations

import asyncio
from typing import Final

import aiohttp

from festinger.shim.language.loaded import LoadedModel, choose, loaded_in
from festinger.shim.proxy.proxy import Upstream
from festinger.shim.proxy.upstreams import Upstreams

LOOK_SECONDS_MAX: Final = 5.0
"""Timeout in seconds of the request for an upstream's loaded models."""
EXPIRY_SECONDS: Final = 5.0
"""A model that is unloaded within this time is not queried, in seconds."""


class NoModelToAsk(Exception):
    """No loaded model may be queried now; the message is the reason."""


class ModelFinder:
    """Finder of the agents' own model within the keep-alive that their prompts set."""

    def __init__(self, upstreams: Upstreams) -> None:
        self._upstreams = upstreams
        self._deadline: float | None = None

    def renew(self) -> None:
        """Reset the keep-alive deadline after a prompt, which renews it upstream."""
        self._deadline = None

    async def find(self, last: str, now: float) -> tuple[Upstream, LoadedModel]:
        """Return the upstream and the model to query.

        Args:
            last: Name of the model of the last prompt; empty before the first.
            now: Current time in seconds since the epoch.

        Raises:
            NoModelToAsk: No model is loaded, or its keep-alive has nearly expired.
        """
        for member in self._upstreams.members:
            model = choose(await _loaded(member.target), last)
            # The agents may use one of several upstreams: the next may have it loaded.
            if model is None:
                continue
            if self._deadline is None:
                # The shim's own requests postpone the expiry. The deadline that the
                # agents' prompts have set counts.
                self._deadline = model.expires
            # A request that arrives just after the expiry would load the model again.
            if now + EXPIRY_SECONDS >= min(self._deadline, model.expires):
                raise NoModelToAsk("nobody has prompted for the model's keep-alive")
            return member.target, model
        raise NoModelToAsk("no model is loaded")


async def _loaded(upstream: Upstream) -> list[LoadedModel]:
    """Return the models that an upstream has loaded; none if the request fails."""
    try:
        async with asyncio.timeout(LOOK_SECONDS_MAX):
            status, body = await upstream.ask("/api/ps")
    except (aiohttp.ClientError, OSError, ValueError, TimeoutError):
        return []
    return loaded_in(body) if status == 200 else []
