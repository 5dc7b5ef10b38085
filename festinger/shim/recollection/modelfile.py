"""Cache of Modelfiles: a model's own SYSTEM and its context length."""

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

from festinger.lifetimes import cancel_all

log = structlog.get_logger(__name__)

# A prompt may wait so long, once for each model and minute.
LOOKUP_SECONDS_MAX: Final = 0.25
"""Maximum time in seconds that a prompt waits for a look-up."""

TTL_SECONDS: Final = 60.0
"""Time in seconds for which an answer is cached."""

MODELS_MAX: Final = 256
"""Maximum number of cached models."""

# Other errors are permanent: an upstream that is no Ollama has no such path.
_FAILURES: Final = frozenset({401, 403, 408, 429})
"""Client errors that are not about the model, so that a retry may succeed."""

# A line of the parameters, such as `num_ctx                        8192`.
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)\s*$", re.M)

Show = Callable[[bytes, str | None], Awaitable[tuple[int, bytes]]]
"""Sends a body with an `Authorization` to `/api/show`; returns status and body."""


@dataclass(frozen=True, slots=True)
class Modelfile:
    """The relevant parts of a model's Modelfile.

    Attributes:
        system: The model's own SYSTEM; empty if it has none.
        context: Context length in tokens; None if the upstream does not report it.
    """

    # A system message that the shim adds would disable it (D6).
    system: str = ""
    # A block must not make a prompt longer than this.
    context: int | None = None


class ModelfileUnknown(Exception):
    """The upstream failed or took too long; a later look-up may succeed."""


class Modelfiles:
    """Cache of the models' Modelfiles, which the upstream is queried for.

    Args:
        show: Sends `POST /api/show` with a JSON body; returns the status and the body
            of the answer.
    """

    def __init__(self, show: Show, clock: Callable[[], float] = time.monotonic) -> None:
        self._show = show
        self._clock = clock
        self._answers: OrderedDict[str, tuple[float, Modelfile]] = OrderedDict()
        # One look-up for each model, which all its prompts share.
        self._lookups: dict[str, asyncio.Task[Modelfile | None]] = {}

    async def get(self, model: str, authorization: str | None) -> Modelfile:
        """Return a model's Modelfile, from the cache or the upstream.

        Args:
            authorization: The client's `Authorization`, for upstreams that require one.

        Raises:
            ModelfileUnknown: The upstream has not answered in time, or failed, and
                there is no cached entry.
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
            # Shielded: other prompts may wait for it too, or use its result later.
            async with asyncio.timeout(LOOKUP_SECONDS_MAX):
                found = await asyncio.shield(lookup)
        except TimeoutError:
            found = None
        # An expired answer is better than none: a model's SYSTEM seldom changes.
        if (said := found or old) is None:
            raise ModelfileUnknown
        return said

    def known(self, model: str) -> Modelfile | None:
        """Return a model's cached Modelfile; None if there is none or it is expired."""
        expiry, known = self._answers.get(model, (0.0, None))
        return known if self._clock() < expiry else None

    def forget(self) -> None:
        """Clear the cache, as after a model was changed."""
        self._answers.clear()

    async def stop(self) -> None:
        """Cancel the look-ups in progress."""
        await cancel_all(self._lookups.values())

    async def _look_up(self, model: str, authorization: str | None) -> Modelfile | None:
        """Query the upstream and cache the answer.

        Returns:
            The Modelfile; None if the upstream failed, so that a retry may succeed.
        """
        request = json.dumps({"model": model}).encode()
        try:
            status, body = await self._show(request, authorization)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("modelfile_unknown", error=type(error).__name__)
            return None
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _FAILURES:
            # A gateway's refusal or an overload: the next prompt asks again.
            log.warning("modelfile_unknown", status=status)
            return None
        try:
            modelfile = _read(body) if status == 200 else Modelfile()
        except (ValueError, RecursionError) as error:
            log.warning("modelfile_unknown", error=type(error).__name__)
            # An answer that is no JSON: an upstream that is no Ollama has no SYSTEM.
            return Modelfile()
        # 404 is cached as well: a model that does not exist has no SYSTEM.
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
    """Return the configured context length, or else the model's maximum."""
    # Ollama's own default, which may be shorter than both, is not reported.
    parameters = answer.get("parameters")
    if isinstance(parameters, str) and (match := _NUM_CTX.search(parameters)):
        return int(match[1]) or None
    details = answer.get("model_info")
    # The key begins with the architecture: `llama.context_length`.
    for key, value in details.items() if isinstance(details, dict) else ():
        if key.endswith(".context_length") and type(value) is int and value > 0:
            return value
    return None
