"""GET /festinger/health: state of the services, for people and for supervisors."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import aiohttp
from aiohttp import web

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.shim.proxy.proxy import Upstream
from festinger.shim.steps.state import ShimState
from festinger.shim.system.calls import MemoryRefused

PROBE_SECONDS_MAX: Final = 1.0
"""Timeout of one probe in seconds; probes run concurrently."""


async def health(shim: ShimState) -> web.Response:
    """Probe the server, its database and the upstreams, and return a report.

    The status is 200 while the server and its database are ready, else 503.
    """
    memory, upstreams = shim.memory, shim.upstreams
    members = upstreams.members  # a reload may replace them meanwhile
    learning, server, database, *ollamas = await asyncio.gather(
        _learning(shim),
        memory.health("", PROBE_SECONDS_MAX),
        memory.health("database", PROBE_SECONDS_MAX),
        *(_probe(member.target) for member in members),
    )
    # The database was asked through the server.
    if server == "unreachable":
        database = "unknown"
    ready = server == database == "ready"
    answers = any(ollama["state"] == "ready" for ollama in ollamas)
    # Not 503: a restart of Festinger would not bring back an Ollama.
    status = "ready" if answers else "degraded"
    body: dict[str, Any] = {
        "status": status if ready else "unavailable",
        "shim": {
            "state": "ready",
            "version": _version(),
            "recollections": dict(sorted(shim.results.items())),
            "loops": dict(sorted(shim.loops.items())),
        },
        "server": {"state": server},
        "database": {"state": database},
        "upstream": ollamas[0],
        "learning": learning,
    }
    if shim.embedder is not None:
        body["embeddings"] = asdict(shim.embedder.statistics)
    if len(ollamas) > 1:
        body["upstreams"] = [
            ollama | {"breaker": upstreams.state(member)}
            for ollama, member in zip(ollamas, members, strict=True)
        ]
    return web.json_response(
        body,
        status=200 if ready else 503,
        headers={"Cache-Control": "no-store"},
    )


async def _learning(shim: ShimState) -> dict[str, Any]:
    """Return the state of learning: the server's counters and the reader's."""
    found: dict[str, Any] = {"enabled": False, "waiting": 0, "reading": 0}
    try:
        status: pb.GetLearningResponse = await shim.memory.call(
            pb.GetLearningRequest(), seconds=PROBE_SECONDS_MAX
        )
    except MemoryRefused:
        found["waiting"] = None  # unknown
    else:
        found |= {
            "enabled": status.enabled,
            "waiting": status.waiting_count,
            "reading": status.reading_count,
            "postponed": status.postponed_count,
            "learned": status.learned_count,
            "candidates": status.candidate_count,
            "refused": sum(status.refused_counts.values()),
            "failed": status.failure_count,
            "given_up": status.given_up_count,
            "tokens_used": status.token_count,
            "problem": status.problem,
        }
    if shim.reader is not None:
        statistics = shim.reader.statistics
        found |= {
            "state": statistics.state,
            "yielded": statistics.yielded,
            "delayed_ms": round(1000 * statistics.delayed),
            "delayed_ms_max": round(1000 * statistics.delayed_max),
        }
    return found


async def _probe(upstream: Upstream) -> dict[str, Any]:
    try:
        async with asyncio.timeout(PROBE_SECONDS_MAX):
            status, body = await upstream.ask("/api/version")
    except (aiohttp.ClientError, OSError, ValueError):
        return {"url": upstream.url, "state": "unreachable"}
    # A gateway that demands a credential answers 401: it is there.
    state = "ready" if status < 500 else "failing"
    return {"url": upstream.url, "state": state, "version": _version_of(body)}


def _version_of(body: bytes) -> str | None:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    found = answer.get("version") if isinstance(answer, dict) else None
    return found if isinstance(found, str) else None


def _version() -> str:
    try:
        return version("festinger")
    except PackageNotFoundError:
        return "unknown"
