"""The model's own SYSTEM, which a system message that we add would switch off (D6)."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
import structlog

log = structlog.get_logger(__name__)

LOOKUP_SECONDS_MAX: Final = 0.25
"""How long a prompt may wait for it."""

TTL_SECONDS: Final = 60.0
"""How long an answer holds."""

MODELS_MAX: Final = 256
"""Models remembered."""


Show = Callable[[bytes, str | None], Awaitable[tuple[int, bytes]]]
"""Sends a body and an `Authorization` to `/api/show`: status and body."""


class LookupSlow(Exception):
    """The upstream took too long; the answer will be there for a later prompt."""


class Modelfiles:
    """Asks the upstream for models' SYSTEM, and remembers the answers.

    Args:
        show: Sends `POST /api/show` with a JSON body; returns the status and the body
            of the answer.
        clock: Gives the time in seconds.
    """

    def __init__(self, show: Show, clock: Callable[[], float] = time.monotonic) -> None:
        self._show = show
        self._clock = clock
        self._answers: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lookups: dict[str, asyncio.Task[str]] = {}

    async def system(self, model: str, authorization: str | None) -> str:
        """The SYSTEM of a model; empty if it has none or the upstream cannot say.

        Args:
            model: The model's name.
            authorization: The client's, for upstreams that want one.

        Raises:
            LookupSlow: The upstream has not answered in time.
        """
        expiry, known = self._answers.get(model, (0.0, None))
        if known is not None and self._clock() < expiry:
            return known
        lookup = self._lookups.get(model)
        if lookup is None:
            lookup = asyncio.create_task(self._look_up(model, authorization))
            self._lookups[model] = lookup
            lookup.add_done_callback(lambda _: self._lookups.pop(model, None))
        try:
            # Shielded: others may wait for it too, and a later prompt profits.
            async with asyncio.timeout(LOOKUP_SECONDS_MAX):
                return await asyncio.shield(lookup)
        except TimeoutError:
            if known is not None:
                return known
            raise LookupSlow from None

    def forget(self) -> None:
        """Forgets all answers, as after a model was changed."""
        self._answers.clear()

    async def stop(self) -> None:
        """Ends the lookups under way."""
        lookups = list(self._lookups.values())
        for lookup in lookups:
            lookup.cancel()
        await asyncio.gather(*lookups, return_exceptions=True)

    async def _look_up(self, model: str, authorization: str | None) -> str:
        request = json.dumps({"model": model}).encode()
        try:
            status, body = await self._show(request, authorization)
            system = _system(body) if status == 200 else ""
        except (aiohttp.ClientError, OSError, ValueError, RecursionError) as error:
            log.warning("modelfile_unknown", error=type(error).__name__)
            return ""
        if status not in {200, 404}:
            return ""
        self._answers[model] = (self._clock() + TTL_SECONDS, system)
        self._answers.move_to_end(model)
        while len(self._answers) > MODELS_MAX:
            self._answers.popitem(last=False)
        return system


def _system(body: bytes) -> str:
    answer = json.loads(body)
    system = answer.get("system") if isinstance(answer, dict) else None
    return system if isinstance(system, str) else ""
