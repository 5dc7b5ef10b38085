"""Filters of forwarded headers: hop-by-hop ones are dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from aiohttp import hdrs
from multidict import CIMultiDict

# RFC 9110, section 7.6.1: they concern one connection, and not the request.
_HOP_BY_HOP: Final = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)

_OURS: Final = "x-festinger"


def request_headers(items: Iterable[tuple[str, str]]) -> CIMultiDict[str]:
    """Return the headers for the upstream, given those of a client's request."""
    headers = _end_to_end(items)
    # aiohttp sends the upstream's own Host; Ollama answers 403 to another.
    ours = {name for name in headers if name.lower().startswith(_OURS)}
    # `Expect` was answered by the shim itself.
    for name in {hdrs.HOST, hdrs.EXPECT, *ours}:
        headers.popall(name, None)
    return headers


def response_headers(
    items: Iterable[tuple[str, str]], added: Mapping[str, str]
) -> CIMultiDict[str]:
    """Return the headers for the client, given those of an upstream's answer.

    Args:
        added: Headers to add, which replace those of the same name.
    """
    headers = _end_to_end(items)
    headers.update(added)
    return headers


def _end_to_end(items: Iterable[tuple[str, str]]) -> CIMultiDict[str]:
    headers = CIMultiDict(items)
    dropped = set(_HOP_BY_HOP)
    # A connection may name further headers of its own.
    for value in headers.getall(hdrs.CONNECTION, ()):
        dropped.update(name.strip().lower() for name in value.split(","))
    for name in dropped:
        headers.popall(name, None)
    return headers
