"""POST /iknowthat: states a fact over HTTP, for agents without gRPC.

What is for operators (E6), such as POST /reload, is not here: the shim's credential is
none. The console has those routes, and asks who calls.
"""

from __future__ import annotations

import re
from typing import Any, Final

import grpc
from aiohttp import web

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.shim.graph.outcomes import (
    NOT_STORED,
    json_response,
    outcome_json,
    refusal_response,
)
from festinger.shim.proxy.guard import RequestRefused
from festinger.shim.recollection.facts import read_object, say
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.system.identity import RequestCaller
from festinger.shim.system.refusals import MemoryRefused

_EXAMPLE: Final = '{"fact": "gnommoweb -isa repo in context of glitch_university"}'

# Whoever writes one of these means the strict form, and hears what is wrong with it.
_FLAG: Final = re.compile(r"(?:^|\s)-(?:isa|ispart|not)\b", re.IGNORECASE)


async def iknowthat(
    request: web.Request,
    memory: MemoryClient,
    caller: RequestCaller,
    body_seconds_max: float,
) -> web.Response:
    """Take the fact of a request, and say what became of it.

    A fact in the strict form answers 201 if it is now held, 200 for the four other
    outcomes: a conflict is an answer, not a failure, and an agent should read it rather
    than try again. Any other sentence is taken as `POST /facts` takes it, and the answer
    says how it was understood.

    Raises:
        Refused: It cannot be read.
    """
    value = await read_object(request, body_seconds_max, f"a fact, such as {_EXAMPLE}")
    fact, request_id = _read(value)
    try:
        response = await memory.state_fact(fact, caller, request_id)
    except MemoryRefused as refusal:
        if not _is_a_sentence(fact, refusal):
            return refusal_response(refusal, NOT_STORED)
        return await _say(fact, memory, caller, refusal)
    outcome = response.outcome
    held = outcome.verdict == Outcome.VERDICT_HELD
    return json_response(outcome_json(outcome), 201 if held else 200)


def _read(value: dict[str, Any]) -> tuple[str, str]:
    """Return the fact and the request id of a body. Raise `RequestRefused` if it has none."""
    fact, request_id = value.get("fact"), value.get("request_id", "")
    if not isinstance(fact, str):
        raise RequestRefused(400, f"send a JSON object with a fact, such as {_EXAMPLE}")
    if not isinstance(request_id, str):
        raise RequestRefused(
            400, "request_id must be a string of at most 128 characters"
        )
    return fact, request_id


def _is_a_sentence(fact: str, refusal: MemoryRefused) -> bool:
    """Return whether a fact was refused for being no statement in the strict form."""
    strict = refusal.reason == "fact_syntax" and not _FLAG.search(fact)
    return strict and refusal.code is grpc.StatusCode.INVALID_ARGUMENT


async def _say(
    text: str, memory: MemoryClient, caller: RequestCaller, refusal: MemoryRefused
) -> web.Response:
    """Have a sentence kept; where that cannot be, the strict form's error stands."""
    try:
        body, is_new = await say(pb.SayRequest(text=text), memory, caller)
    except MemoryRefused as error:
        unkept = error.code is grpc.StatusCode.INVALID_ARGUMENT
        return refusal_response(refusal if unkept else error, NOT_STORED)
    results = [it["result"] for it in body["understood"]]
    return json_response(
        {"result": results[0] if results else "kept", **body},
        201 if is_new else 200,
    )
