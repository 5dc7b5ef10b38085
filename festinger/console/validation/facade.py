"""JSON handlers of validation, with the paths of its document.

    POST /candidate_factoids          proposes a candidate: 201 {"factoid_cid": …}
    GET  /candidate_factoids/{cid}    returns it, by its CID, number or external ID
    GET  /validation_prompt/{cid}     returns the question that people get
    POST /validation_event            {"factoid_cid": …, "responder": "user:alice",
                                       "response": "confirmed"}
    GET  /backlog/claim               leases rejected or expired candidates
    GET  /provenance/{cid}            traces the origins of an object
    GET  /labels                      labelled examples, a JSON object per line

The token alone determines the author of an answer (E5). The bots' token answers on
behalf of the `responder`; an answer with the operator's token is the operator's own,
whatever `responder` is. The time, model and message of a statement are taken from the
candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final

from aiohttp import web

from festinger.api.v1.candidate_pb2 import Candidate
from festinger.console.access import PathAudience
from festinger.console.context import HEADERS, RequestContext, json_answer
from festinger.console.endpoints import Endpoint, to_json
from festinger.console.errors import PageRefused
from festinger.core.system.cid import is_cid
from festinger.core.system.principals import is_same

_NUMBER_MAX: Final = 2**63
_TEXT: Final = {"type": "string"}
_KINDS: Final = ("user:", "moderator:")
"""Prefixes of principals in the documents."""


def named(name: str) -> dict[str, Any]:
    """Return the request's field for a candidate: its CID, number or external ID."""
    if is_cid(name):
        return {"candidate_cid": name}
    if name.isascii() and name.isdecimal() and int(name) < _NUMBER_MAX:
        return {"candidate_id": int(name)}
    return {"external_id": name}


# Proposing a candidate

_PROVENANCE: Final = {
    "msg_cid": "message_id",
    "message_id": "message_id",
    "chunk_id": "chunk_id",
    "extractor": "extractor_version",
    "extractor_ver": "extractor_version",
    "extractor_version": "extractor_version",
    "prompt_hash": "prompt_hash",
    "model_version": "model_version",
}
"""The keys of `provenance`, and the fields of the request."""
_RENAMED: Final = {
    "factoid_cid": "external_id",
    "predicate_candidate": "predicate",
    "predicate_candidate_uri": "predicate",
    "object": "object_raw",
    "subject": "subject_raw",
    "text": "sentence",
    "explanation": "justification",
}
_STAMPED: Final = (
    "status", "created_ts", "expires_at", "subject_cid", "object_cid",
    "predicate_score",
)  # fmt: skip
"""Fields of a candidate in the document that the server sets; they are ignored."""
PROPOSED: Final[Mapping[str, Any]] = {
    "factoid_cid": _TEXT | {"description": "The client's own name: its `external_id`."},
    **{
        name: _TEXT | {"description": f"As `{meant}`, which is its name."}
        for name, meant in _RENAMED.items()
        if name != "factoid_cid"
    },
    **{
        name: {"description": "Taken, and said by the server instead."}
        for name in _STAMPED
    },
    "provenance": {
        "type": "object",
        "properties": dict.fromkeys(_PROVENANCE, _TEXT),
        "additionalProperties": False,
    },
}
"""The schemas of further names that the body of a candidate may use."""


def proposal(said: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a candidate of the document to the fields of the call.

    Raises:
        PageRefused: A field is invalid, or is given twice with different values.
    """
    meant: dict[str, Any] = {}
    for name, value in said.items():
        if name == "provenance":
            for key, each in _provenance(value).items():
                _put(meant, _PROVENANCE[key], each)
        elif name == "factoid_cid" and isinstance(value, str) and is_cid(value):
            raise PageRefused(
                400,
                "the server says what a candidate's CID is: send a name of your own as "
                "candidate_cid or external_id, or none",
            )
        elif name not in _STAMPED:
            _put(meant, _RENAMED.get(name, name), value)
    return meant


def _provenance(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise PageRefused(400, "provenance must be an object")
    for key in value:
        if key not in _PROVENANCE:
            known = ", ".join(_PROVENANCE)
            raise PageRefused(400, f"there is no {key} in provenance. Fields: {known}")
    return value


def _put(meant: dict[str, Any], name: str, value: Any) -> None:
    said = meant.setdefault(name, value)
    if said is not value and said != value:
        raise PageRefused(400, f"{name} is said twice, and not the same")


async def propose(context: RequestContext) -> web.Response:
    """Propose a candidate, which people are asked about."""
    answer = await context.ask(PROPOSE.asked(context))
    told = to_json(answer)
    if not answer.HasField("candidate"):
        # The statement is held or decided already, so there is no candidate.
        return json_answer({"factoid_cid": None, **told})
    return json_answer(_of(answer.candidate) | told, 201)


def _of(candidate: Candidate) -> dict[str, Any]:
    """Return the main fields of a candidate, for the top level of a response."""
    told = to_json(candidate)
    names = ("factoid_cid", "external_id", "status", "confidence", "belief")
    return {name: told[name] for name in names}


# Reading a candidate

READ: Final = Endpoint(
    "GET", "/candidate_factoids/{cid}", "ValidationService.GetCandidate",
    "Gets a candidate with what people answered, as far as that is not hidden yet.",
    naming=named,
    named=("candidate_id", "candidate_cid", "external_id"),
    audience=PathAudience.AGENTS
)  # fmt: skip
PROMPT: Final = replace(
    READ,
    path="/validation_prompt/{cid}",
    rpc="ValidationService.GetQuestion",
    summary="Says how people are asked about a candidate. Nothing is posted by this.",
)


async def read(context: RequestContext) -> web.Response:
    """Get a candidate; a remote agent may read only its own."""
    answer = await context.ask(READ.asked(context))
    _check_own(context, answer.candidate)
    return json_answer(_of(answer.candidate) | to_json(answer))


async def prompt(context: RequestContext) -> web.Response:
    """Get the question about a candidate, for clients that may read it."""
    candidate = (await context.ask(READ.asked(context))).candidate
    _check_own(context, candidate)
    answer = await context.ask(PROMPT.asked(context))
    told = to_json(answer)
    names = ("text", "why", "options", "bot", "lane", "recipient", "channel")
    return json_answer({it: told["question"][it] for it in names} | told)


def _check_own(context: RequestContext, candidate: Candidate) -> None:
    """Raise `PageRefused` if the client may see only its own and this is not."""
    asker = context.asker
    if asker and asker.own and not is_same(asker.principal, candidate.author):
        raise PageRefused(
            404,
            "you put no such candidate forward. Others are for whoever shows a token, "
            "or asks from the machine itself",
            "candidate_not_found",
        )


# Answering

_EVENT: Final = {
    "bot_id": "bot_id",
    "event_cid": "delivery",
    "delivery": "delivery",
    "response": "response",
    "note": "note",
    "dispute": "dispute",
    "question_id": "question_id",
    "request_id": "request_id",
}
_RESPONDERS: Final = ("responder", "responder_id")
_OF_EVENT: Final = (
    "timestamp", "prompt_hash", "model_version", "msg_cid", "context_msg_cid",
)  # fmt: skip
"""Fields of an answer in the document that the server sets; they are ignored."""
ANSWERED: Final[Mapping[str, Any]] = {
    "event_cid": _TEXT | {"description": "As `delivery`: it counts once."},
    **{
        name: _TEXT | {"description": "Who answers, if the token may speak for others."}
        for name in _RESPONDERS
    },
    **{
        name: {"description": "Taken, and said by the server instead."}
        for name in _OF_EVENT
    },
}


async def answer(context: RequestContext) -> web.Response:
    """Record an answer and return its outcome."""
    said = {name: it for name, it in context.form.items() if name not in _OF_EVENT}
    responders = {it for name in _RESPONDERS if (it := _name(said, name))}
    if len(responders) > 1:
        raise PageRefused(400, "responder and responder_id are not the same")
    meant: dict[str, Any] = {}
    for name, value in said.items():
        if name == "factoid_cid":
            meant |= (
                named(value) if isinstance(value, str) else {"candidate_cid": value}
            )
        elif name not in _RESPONDERS:
            _put(meant, _EVENT.get(name, name), value)
    request = ANSWER.message(meant)
    if context.asker is not None and responders:
        context.asker = replace(context.asker, principal=responders.pop())
    answer = await context.ask(request)
    event = to_json(answer)["event"] or {}
    told = _of(answer.candidate) | {
        "event_cid": event.get("cid"),
        "responder": event.get("responder"),
    }
    if answer.outcome.HasField("edge"):
        # The edge has the current confidence; the candidate keeps the machine's guess.
        told["confidence"] = answer.outcome.edge.confidence
    return json_answer(told | to_json(answer))


def _name(said: Mapping[str, Any], field: str) -> str:
    """Return the principal of a field, without the prefix; empty if there is none."""
    name = said.get(field) or ""
    if not isinstance(name, str):
        raise PageRefused(400, f"{field} must be a string")
    return next((name.removeprefix(it) for it in _KINDS if name.startswith(it)), name)


# Opting out

OPT_OUT: Final = Endpoint(
    "POST", "/opt_out", "ValidationService.SetOptOut",
    "Says that somebody is not to be asked; with opted_out=false, that they are again.",
    usual={"opted_out": True},
    audience=PathAudience.CALLERS
)  # fmt: skip


async def opt_out(context: RequestContext) -> web.Response:
    """Opt a principal out of questions, or in again."""
    principal = _name(context.form, "principal")
    meant = {name: it for name, it in context.form.items() if name != "principal"}
    if context.asker is not None:
        context.asker = replace(context.asker, principal=principal)
    elif principal:
        meant["principal"] = principal
    answer = await context.ask(OPT_OUT.message(meant))
    return json_answer(to_json(answer))


# Labels

LABELS: Final = Endpoint(
    "GET", "/labels", "ValidationService.ExportLabels",
    "Tells every decided candidate as a labelled example, a JSON object a line.",
    audience=PathAudience.CALLERS, lines=True
)  # fmt: skip


async def labels(context: RequestContext) -> web.StreamResponse:
    """Stream labelled examples."""
    response = web.StreamResponse(
        headers={"Content-Type": "application/x-ndjson", **HEADERS}
    )
    answers = context.follow(LABELS.asked(context))
    async with aclosing(answers):  # type: ignore[type-var]
        async for each in answers:
            # An error before the first line still gets a status of its own.
            if not response.prepared:
                await response.prepare(context.request)
            await response.write(each.json.encode() + b"\n")
    if not response.prepared:
        await response.prepare(context.request)
    await response.write_eof()
    return response


PROPOSE: Final = Endpoint(
    "POST", "/candidate_factoids", "ValidationService.ProposeCandidate",
    "Puts a candidate forward; people are asked whether it is true.", status=201,
    audience=PathAudience.AGENTS, shape=proposal, documented=PROPOSED, handler=propose
)  # fmt: skip
ANSWER: Final = Endpoint(
    "POST", "/validation_event", "ValidationService.Answer",
    "Takes somebody's answer, and says what it decided.", audience=PathAudience.CALLERS,
    documented=ANSWERED, handler=answer
)  # fmt: skip


def table() -> tuple[Endpoint, ...]:
    """Return the endpoints of validation."""
    return (
        PROPOSE,
        Endpoint(
            "GET", "/candidate_factoids", "CandidateService.ListCandidates",
            "Lists candidates.",
            audience=PathAudience.CALLERS
        ),
        replace(READ, handler=read),
        replace(PROMPT, handler=prompt),
        ANSWER,
        Endpoint(
            "GET", "/backlog", "ValidationService.ListBacklog",
            "Lists what waits for dreaming, and the last nights.",
            audience=PathAudience.CALLERS
        ),
        Endpoint(
            "GET", "/backlog/claim", "ValidationService.LeaseBacklog",
            "Leases what was rejected or expired to whoever looks into it.",
            audience=PathAudience.CALLERS, changes=True
        ),
        Endpoint(
            "POST", "/backlog/{number}/report", "ValidationService.ReportBacklog",
            "Ends, extends or gives back a lease.", number="backlog_id",
            audience=PathAudience.CALLERS
        ),
        Endpoint(
            "GET", "/provenance/{cid}", "ProvenanceService.Trace",
            "Walks from an object to all that it comes from.",
            naming=lambda cid: {"cid": cid}, named=("cid", "concept", "dimension"),
            audience=PathAudience.CALLERS
        ),
        replace(OPT_OUT, handler=opt_out),
        replace(LABELS, handler=labels),
        Endpoint(
            "GET", "/validation_metrics", "ValidationService.GetValidationMetrics",
            "Says how validation goes.",
            audience=PathAudience.CALLERS
        ),
    )  # fmt: skip
