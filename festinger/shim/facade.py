"""POST /iknowthat: states a fact over HTTP, for agents without gRPC.

What is for operators (E6), such as POST /reload, is not here: the shim's credential is
none. The console has those routes, and asks who calls.
"""

from __future__ import annotations

import json
from typing import Any, Final

import grpc
import structlog
from aiohttp import hdrs, web

from festinger.api.v1.edge_pb2 import Edge
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import Source
from festinger.api.v1.triple_pb2 import Triple
from festinger.shim.guard import Refused, Upload
from festinger.shim.identity import Caller
from festinger.shim.memory import Memory, MemoryRefused
from festinger.shim.wording import RETRY_AFTER_SECONDS

log = structlog.get_logger(__name__)

FACT_BYTES_MAX: Final = 64 * 2**10
"""The largest body that states a fact."""

_EXAMPLE: Final = '{"fact": "gnommoweb -isa repo in context of glitch_university"}'

_RESULTS: Final = {
    Outcome.VERDICT_HELD: "held",
    Outcome.VERDICT_CORROBORATED: "corroborated",
    Outcome.VERDICT_CONFLICTED: "conflict",
    Outcome.VERDICT_CANDIDATE: "candidate",
    Outcome.VERDICT_REJECTED: "rejected",
}

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

_AWAY: Final = (
    "the memory server cannot be reached, so nothing was stored. Start it with "
    "`festinger serve` (or `festinger up`) and send the fact again"
)


async def iknowthat(
    request: web.Request, memory: Memory, caller: Caller, body_seconds_max: float
) -> web.Response:
    """States the fact of a request and says what became of it.

    Answers 201 if it is now held, 200 for the four other outcomes: a conflict is an
    answer, not a failure, and an agent should read it rather than try again.

    Raises:
        Refused: It cannot be read, or the memory refused it.
    """
    upload = Upload(
        request, bytes_max=FACT_BYTES_MAX, pause_seconds_max=body_seconds_max
    )
    fact, request_id = _read(await upload.read())
    try:
        response = await memory.state_fact(fact, caller, request_id)
    except MemoryRefused as refusal:
        return _refusal(refusal)
    outcome = response.outcome
    held = outcome.verdict == Outcome.VERDICT_HELD
    return web.json_response(_answer(outcome), status=201 if held else 200, dumps=_dump)


def _read(body: bytes) -> tuple[str, str]:
    """The fact and the request id of a body."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("fact"), str):
        raise Refused(400, f"send a JSON object with a fact, such as {_EXAMPLE}")
    request_id = value.get("request_id", "")
    if not isinstance(request_id, str):
        raise Refused(400, "request_id must be a string of at most 128 characters")
    try:
        (value["fact"] + request_id).encode()
    except UnicodeEncodeError:
        raise Refused(400, "the fact holds half of a surrogate pair") from None
    return value["fact"], request_id


def _refusal(refusal: MemoryRefused) -> web.Response:
    status = _STATUSES.get(refusal.code, 502)
    log.info("fact_refused", code=refusal.code.name, reason=refusal.reason)
    body = {"error": refusal.message if status < 500 else _AWAY}
    if status >= 500 and refusal.code is not grpc.StatusCode.UNAVAILABLE:
        body["error"] = refusal.message or "the memory server failed; its log says why"
    if refusal.reason:
        body["reason"] = refusal.reason
    response = web.json_response(body, status=status, dumps=_dump)
    if status == 503:
        response.headers[hdrs.RETRY_AFTER] = RETRY_AFTER_SECONDS
    return response


def _answer(outcome: Outcome) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "result": _RESULTS.get(outcome.verdict, "rejected"),
        "message": outcome.message,
    }
    if outcome.reason:
        answer["reason"] = outcome.reason
    if outcome.conflict_id:
        answer["conflict_id"] = outcome.conflict_id
    if outcome.factoid_id:
        answer["factoid_id"] = outcome.factoid_id
    if outcome.assertion_id:
        answer["assertion_id"] = outcome.assertion_id
    answer["triple"] = _triple(outcome.triple)
    answer["edge"] = _edge(outcome.edge) if outcome.HasField("edge") else None
    return answer


def _triple(triple: Triple) -> dict[str, Any]:
    return {
        "concept": triple.concept,
        "parent": triple.parent,
        "dimension": triple.dimension,
        "is_isa": triple.is_isa,
        "negated": triple.negated,
    }


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "concept": edge.concept,
        "parent": edge.parent,
        "dimension": edge.dimension,
        "is_isa": edge.is_isa,
        "confidence": edge.confidence,
        "last_confirmed": edge.last_confirm_time.ToJsonString(),
        "source": Source.Name(edge.source).removeprefix("SOURCE_").lower(),
        "contested": edge.contested,
        "belief": edge.belief,
    }


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
