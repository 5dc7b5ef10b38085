"""POST /iknowthat: state a fact over HTTP, for agents without gRPC.

Operators' routes (E6), such as POST /reload, are not served here: the shim's credential
is not an operator's. The console serves them and authenticates its callers.
"""

from __future__ import annotations

import re
from typing import Any, Final

import grpc
from aiohttp import web

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.shim.graph import outcomes
from festinger.shim.proxy.guard import RequestRefused
from festinger.shim.recollection.facts import read_object, say
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.system.calls import MemoryRefused
from festinger.shim.system.identity import RequestCaller

_EXAMPLE: Final = '{"fact": "gnommoweb -isa repo in context of glitch_university"}'

# A text with one of these flags is meant in the strict form: report its syntax error.
_FLAG: Final = re.compile(r"(?:^|\s)-(?:isa|ispart|not)\b", re.IGNORECASE)


async def iknowthat(
    request: web.Request,
    memory: MemoryClient,
    caller: RequestCaller,
    body_seconds_max: float,
) -> web.Response:
    """State the fact of a request and return its outcome.

    A fact in the strict form is answered with 201 if it is now held, else with 200. Any
    other sentence is handled as `POST /facts` handles it.
    """
    value = await read_object(request, body_seconds_max, f"a fact, such as {_EXAMPLE}")
    fact, request_id = _read(value)
    try:
        stated = memory_pb.AssertRequest(fact=fact, request_id=request_id)
        response: memory_pb.AssertResponse = await memory.call(stated, caller)
    except MemoryRefused as refusal:
        # "gnommoweb runs on berta" is no strict fact, and a sentence that can be stored.
        if not _is_a_sentence(fact, refusal):
            return outcomes.refusal_response(refusal, outcomes.NOT_STORED)
        # The refused call has left its id unused.
        said = pb.SayRequest(text=fact, request_id=request_id)
        return await _say(said, memory, caller, refusal)
    outcome = response.outcome
    # 200 for a conflict too: it is an answer that an agent should read, and not retry.
    held = outcome.verdict == Outcome.VERDICT_HELD
    return outcomes.json_response(outcomes.outcome_json(outcome), 201 if held else 200)


def _read(value: dict[str, Any]) -> tuple[str, str]:
    """Return the fact and the request id of a body."""
    fact, request_id = value.get("fact"), value.get("request_id", "")
    if not isinstance(fact, str):
        raise RequestRefused(400, f"send a JSON object with a fact, such as {_EXAMPLE}")
    if not isinstance(request_id, str):
        raise RequestRefused(
            400, "request_id must be a string of at most 128 characters"
        )
    return fact, request_id


def _is_a_sentence(fact: str, refusal: MemoryRefused) -> bool:
    """Return whether a fact was refused because it is not in the strict form."""
    # With a flag it was meant as a strict fact, whose syntax error helps more.
    strict = refusal.reason == "fact_syntax" and not _FLAG.search(fact)
    return strict and refusal.code is grpc.StatusCode.INVALID_ARGUMENT


async def _say(
    said: pb.SayRequest,
    memory: MemoryClient,
    caller: RequestCaller,
    refusal: MemoryRefused,
) -> web.Response:
    """Store a sentence and return the response."""
    try:
        body, is_new = await say(said, memory, caller)
    except MemoryRefused as error:
        # Then the first error is shown, which explains the strict form.
        unkept = error.code is grpc.StatusCode.INVALID_ARGUMENT
        return outcomes.refusal_response(
            refusal if unkept else error, outcomes.NOT_STORED
        )
    results = [it["result"] for it in body["understood"]]
    return outcomes.json_response(
        {"result": results[0] if results else "kept", **body},
        201 if is_new else 200,
    )
