"""What a model's Modelfile says: its own SYSTEM and its context length.

A system message that we add would switch the SYSTEM off (D6), and a block must not make
a prompt longer than the context.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import structlog

log = structlog.get_logger(__name__)

LOOKUP_SECONDS_MAX: Final = 0.25
"""How long a prompt may wait for it."""

TTL_SECONDS: Final = 60.0
"""How long an answer holds."""

MODELS_MAX: Final = 256
"""Models remembered."""

# Other errors come again: an upstream that is no Ollama knows no such path.
_FAILURES: Final = frozenset({401, 403, 408, 429})
"""Client errors that say nothing of the model."""

_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)\s*$", re.M)

Show = Callable[[bytes, str | None], Awaitable[tuple[int, bytes]]]
"""Sends a body and an `Authorization` to `/api/show`: status and body."""


@dataclass(frozen=True, slots=True)
class Modelfile:
    """What is known of a model.

    Attributes:
        system: Its own SYSTEM; empty if it has none.
        context: Its context length in tokens; None if the upstream does not say.
    """

    system: str = ""
    context: int | None = None


class ModelfileUnknown(Exception):
    """The upstream failed or took too long; a later prompt may find the answer."""


class Modelfiles:
    """Asks the upstream about models, and remembers the answers.

    Args:
        show: Sends `POST /api/show` with a JSON body; returns the status and the body
            of the answer.
        clock: Gives the time in seconds.
    """

    def __init__(self, show: Show, clock: Callable[[], float] = time.monotonic) -> None:
        self._show = show
        self._clock = clock
        self._answers: OrderedDict[str, tuple[float, Modelfile]] = OrderedDict()
        self._lookups: dict[str, asyncio.Task[Modelfile | None]] = {}

    async def get(self, model: str, authorization: str | None) -> Modelfile:
        """What a model's Modelfile says; nothing if there is none.

        Args:
            model: The model's name.
            authorization: The client's, for upstreams that want one.

        Raises:
            ModelfileUnknown: The upstream has not answered in time, or failed, and has
                never said before.
        """
        if (known := self.known(model)) is not None:
            return known
        _, old = self._answers.get(model, (0.0, None))
        lookup = self._lookups.get(model)
        if lookup is None:
            lookup = asyncio.create_task(self._look_up(model, authorization))
            self._lookups[model] = lookup
            lookup.add_done_callback(lambda _: self._lookups.pop(model, None))
        try:
            # Shielded: others may wait for it too, and a later prompt profits.
            async with asyncio.timeout(LOOKUP_SECONDS_MAX):
                found = await asyncio.shield(lookup)
        except TimeoutError:
            found = None
        if (said := found or old) is None:
            raise ModelfileUnknown
        return said

    def known(self, model: str) -> Modelfile | None:
        """What is known of a model already, and not too long."""
        expiry, known = self._answers.get(model, (0.0, None))
        return known if self._clock() < expiry else None

    def forget(self) -> None:
        """Forgets all answers, as after a model was changed."""
        self._answers.clear()

    async def stop(self) -> None:
        """Ends the lookups under way."""
        lookups = list(self._lookups.values())
        for lookup in lookups:
            lookup.cancel()
        await asyncio.gather(*lookups, return_exceptions=True)

    async def _look_up(self, model: str, authorization: str | None) -> Modelfile | None:
        """Asks the upstream; None if it failed, which says nothing of the model."""
        request = json.dumps({"model": model}).encode()
        try:
            status, body = await self._show(request, authorization)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("modelfile_unknown", error=type(error).__name__)
            return None
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _FAILURES:
            log.warning("modelfile_unknown", status=status)
            return None
        try:
            modelfile = _read(body) if status == 200 else Modelfile()
        except (ValueError, RecursionError) as error:
            log.warning("modelfile_unknown", error=type(error).__name__)
            return Modelfile()
        if status not in {200, 404}:
            return Modelfile()
        self._answers[model] = (self._clock() + TTL_SECONDS, modelfile)
        self._answers.move_to_end(model)
        while len(self._answers) > MODELS_MAX:
            self._answers.popitem(last=False)
        return modelfile


def _read(body: bytes) -> Modelfile:
    answer = json.loads(body)
    if not isinstance(answer, dict):
        return Modelfile()
    system = answer.get("system")
    return Modelfile(system if isinstance(system, str) else "", _context(answer))


def _context(answer: dict[str, Any]) -> int | None:
    """The context length that is set, or else the longest that the model knows.

    Ollama's own default, which may be shorter, is not told.
    """
    parameters = answer.get("parameters")
    if isinstance(parameters, str) and (match := _NUM_CTX.search(parameters)):
        return int(match[1]) or None
    details = answer.get("model_info")
    for key, value in details.items() if isinstance(details, dict) else ():
        if key.endswith(".context_length") and type(value) is int and value > 0:
            return value
    return None
