"""Loaded models of the upstreams, and the one that may be queried now."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import aiohttp

from festinger.shim.proxy.proxy import Upstream
from festinger.shim.proxy.upstreams import Upstreams

# nomic-embed-text, bge-m3, all-minilm, bert-base: they answer no chat.
_EMBEDS: Final = re.compile(r"embed|\bbge\b|minilm|bert", re.IGNORECASE)

LOOK_SECONDS_MAX: Final = 5.0
"""Timeout in seconds of the request for an upstream's loaded models."""
EXPIRY_SECONDS: Final = 5.0
"""A model that is unloaded within this time is not queried, in seconds."""


class LoadedModel(NamedTuple):
    """A model that is loaded.

    Attributes:
        context: Context length in tokens that it is loaded with; 0 if unknown.
        expires: Time at which it is unloaded unless it is queried, in seconds since
            the epoch; infinity if unknown.
    """

    name: str
    context: int
    expires: float


async def listed(upstream: Upstream) -> bytes:
    """Return an upstream's answer about its loaded models; empty if it gives none."""
    try:
        async with asyncio.timeout(LOOK_SECONDS_MAX):
            status, body = await upstream.ask("/api/ps")
    except (aiohttp.ClientError, OSError, ValueError, TimeoutError):
        return b""
    return body if status == 200 else b""


def loaded_in(body: bytes) -> list[LoadedModel]:
    """Return the chat models in an answer; none if it is unreadable."""
    return [model for name, it in _listed(body) if (model := _read(name, it))]


def names_in(body: bytes) -> list[str]:
    """Return the names of all models in an answer; none if it is unreadable."""
    return [name for name, _ in _listed(body)]


def choose(models: Sequence[LoadedModel], last: str) -> LoadedModel | None:
    """Return the model to query: the last prompt's, or else the only one.

    Args:
        models: The loaded models; those of unknown context length are skipped.
        last: Model name in the last prompt; empty before the first.

    Returns:
        None if the last prompt's model is not loaded, or if there is no last prompt
        and not exactly one model.
    """
    # A request must set the context that the model is loaded with, or it is reloaded.
    usable = [it for it in models if it.context]
    # `llama3` in a prompt is `llama3:latest` in the list.
    if last:
        return next((it for it in usable if tagged(it.name) == tagged(last)), None)
    # Before the first prompt nobody knows which of several is the agents' model.
    return usable[0] if len(usable) == 1 else None


def _listed(body: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the object of each model in an answer."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return
    models = answer.get("models") if isinstance(answer, dict) else None
    # Another program may answer in Ollama's place, with anything.
    for item in models if isinstance(models, list) else ():
        if isinstance(item, dict):
            name = item.get("model") or item.get("name")
            if isinstance(name, str):
                yield name, item


def _read(name: str, item: dict[str, Any]) -> LoadedModel | None:
    context = item.get("context_length")
    # A model of a remote host must not read what stays on this machine.
    if _EMBEDS.search(name) or item.get("remote_host"):
        return None
    length = (
        context if isinstance(context, int) and not isinstance(context, bool) else 0
    )
    return LoadedModel(name, max(0, length), _time(item.get("expires_at")))


def _time(value: Any) -> float:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return float("inf")
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def tagged(name: str) -> str:
    """Return the name of a model with its tag."""
    # The registry may have a port: `host:5000/model`.
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


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

        Raises:
            NoModelToAsk: No model is loaded, or its keep-alive has nearly expired.
        """
        for member in self._upstreams.members:
            model = choose(loaded_in(await listed(member.target)), last)
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
