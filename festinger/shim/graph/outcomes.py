"""JSON responses for outcomes of statements and for refusals of the memory."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Final

import grpc
import structlog
from aiohttp import hdrs, web

from festinger.api.v1.edge_pb2 import Edge
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import Source
from festinger.api.v1.triple_pb2 import Triple
from festinger.mapping import word_of
from festinger.shim.proxy.wording import RETRY_AFTER_SECONDS
from festinger.shim.system.calls import MemoryRefused

log = structlog.get_logger(__name__)

NOT_STORED: Final = (
    "the memory server cannot be reached, so nothing was stored. Start it with "
    "`festinger system serve` (or `festinger up`) and send the fact again"
)
NOT_ANSWERED: Final = (
    "the memory server cannot be reached. Start it with `festinger system serve` (or "
    "`festinger up`) and ask again"
)

_RESULTS: Final = {
    Outcome.VERDICT_HELD: "held",
    Outcome.VERDICT_CORROBORATED: "corroborated",
    Outcome.VERDICT_CONFLICTED: "conflict",
    Outcome.VERDICT_CANDIDATE: "candidate",
    Outcome.VERDICT_REJECTED: "rejected",
}

# Other codes are defects of the server: 502.
_STATUSES: Final = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 503,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 503,
}


def refusal_response(refusal: MemoryRefused, away: str) -> web.Response:
    """Return the HTTP response for a call that the memory refused.

    Args:
        away: Error message if the memory cannot be reached.
    """
    status = _STATUSES.get(refusal.code, 502)
    log.info("fact_refused", code=refusal.code.name, reason=refusal.reason)
    # Of the client's mistakes the server's message tells the remedy.
    body = {"error": refusal.message if status < 500 else away}
    # The server was reached, so telling to start it would mislead.
    if status >= 500 and refusal.code is not grpc.StatusCode.UNAVAILABLE:
        body["error"] = refusal.message or "the memory server failed; its log says why"
    if refusal.reason:
        body["reason"] = refusal.reason
    response = json_response(body, status)
    if status == 503:
        response.headers[hdrs.RETRY_AFTER] = RETRY_AFTER_SECONDS
    return response


def json_response(body: Any, status: int = 200) -> web.Response:
    """Return a JSON response whose non-ASCII characters are not escaped."""
    # Names of any script stay readable in a terminal.
    return web.json_response(
        body, status=status, dumps=partial(json.dumps, ensure_ascii=False)
    )


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome of a statement as a JSON object."""
    answer: dict[str, Any] = {
        # A newer server may have further verdicts.
        "result": _RESULTS.get(outcome.verdict, "rejected"),
        "message": outcome.message,
    }
    for key in ("reason", "conflict_id", "candidate_id", "assertion_id"):
        if value := getattr(outcome, key):
            answer[key] = value
    answer["triple"] = triple_json(outcome.triple)
    answer["edge"] = _edge(outcome.edge) if outcome.HasField("edge") else None
    return answer


def triple_json(triple: Triple) -> dict[str, Any]:
    """Return a statement as a JSON object."""
    keys = ("concept", "parent", "dimension", "is_isa", "negated")
    return {key: getattr(triple, key) for key in keys}


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "concept": edge.concept,
        "parent": edge.parent,
        "dimension": edge.dimension,
        "is_isa": edge.is_isa,
        "confidence": edge.confidence,
        "last_confirmed": edge.last_confirm_time.ToJsonString(),
        "source": word_of(Source, edge.source),
        "contested": edge.contested,
        "belief": edge.belief,
    }
