"""/facts: list, add and forget lines of the memory over HTTP.

The memory's service decides which lines a caller may see and forget; this module parses
requests and formats answers as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.mapping import choices_of, word_of
from festinger.shim.graph import outcomes
from festinger.shim.proxy.guard import IncomingBody, RequestRefused
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.system.calls import MemoryRefused
from festinger.shim.system.identity import RequestCaller

PATH: Final = "/facts"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "DELETE"})

FACT_BYTES_MAX: Final = 64 * 2**10
"""Maximum size of a body."""
LIMIT_MAX: Final = 500
"""Maximum number of facts of one answer."""
# Python refuses to convert strings of thousands of digits, with an error of its own.
_DIGITS_MAX: Final = 9
# A longer text is searched by its beginning, which is enough to find the stored line.
_QUERY_CHARACTERS_MAX: Final = 4_000

_EXAMPLE: Final = '{"text": "gnommoweb runs on host berta"}'

_KINDS: Final[dict[str, pb.MemoryLine.Kind]] = choices_of(pb.MemoryLine.Kind)
_LISTING: Final = ("q", "project", "about", "by", "kind", "since", "limit", "page")
_SAYING: Final = ("text", "project", "corrects", "request_id")
# Without one of these a DELETE would forget everything: it is refused.
_SELECTING: Final = ("name", "by", "project", "session", "phrase")
_FORGETTING: Final = (*_SELECTING, "preview", "request_id")
_TRUE, _FALSE = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no", ""})


async def facts(
    request: web.Request,
    memory: MemoryClient,
    caller: RequestCaller,
    body_seconds_max: float,
) -> web.Response:
    """List, add or forget facts, according to the method."""
    posts = request.method == "POST"
    try:
        if posts:
            wanted = f"a text, such as {_EXAMPLE}"
            value = await read_object(request, body_seconds_max, wanted)
            return await _say(value, memory, caller)
        if request.method == "DELETE":
            return await _forget(request, memory, caller)
        return await _list(request, memory, caller)
    except MemoryRefused as refusal:
        return outcomes.refusal_response(
            refusal, outcomes.NOT_STORED if posts else outcomes.NOT_ANSWERED
        )


async def read_object(
    request: web.Request, body_seconds_max: float, wanted: str
) -> dict[str, Any]:
    """Return the JSON object in a request's body.

    Args:
        wanted: Description of the object's content, for error messages.

    Raises:
        RequestRefused: The body is too large or too slow, is no JSON object, or has
            strings that cannot be encoded.
    """
    upload = IncomingBody(
        request, bytes_max=FACT_BYTES_MAX, pause_seconds_max=body_seconds_max
    )
    try:
        value = json.loads(await upload.read())
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise RequestRefused(400, f"send a JSON object with {wanted}")
    try:
        # An escape such as "\ud800" is valid JSON and invalid in protobuf.
        "".join(it for it in value.values() if isinstance(it, str)).encode()
    except UnicodeEncodeError:
        raise RequestRefused(400, "the fact holds half of a surrogate pair") from None
    return value


async def say(
    request: pb.SayRequest, memory: MemoryClient, caller: RequestCaller
) -> tuple[dict[str, Any], bool]:
    """Store what somebody says.

    Returns:
        The memory's understanding of it as JSON, and whether anything new is held or
        stored.

    Raises:
        MemoryRefused: The memory does not store it.
    """
    # Repeated text is stored once, and the answer has the stored line: search first.
    same = pb.SearchLinesRequest(
        query=request.text[:_QUERY_CHARACTERS_MAX],
        speaker=caller.subject,
        kind=pb.MemoryLine.KIND_UTTERANCE,
    )
    known = {it.name for it in (await memory.call(same, caller)).lines}
    said: pb.SayResponse = await memory.call(request, caller)
    # A statement may be new although its sentence was stored before.
    held = any(it.verdict == Outcome.VERDICT_HELD for it in said.outcomes)
    is_new = held or any(it.name not in known for it in said.lines)
    body = {
        "understood": [outcomes.outcome_json(it) for it in said.outcomes],
        "kept": [line_json(it) for it in said.lines],
        "not_kept": [{"text": it.text, "reason": it.reason} for it in said.left_out],
    }
    return body, is_new


def line_json(line: pb.MemoryLine) -> dict[str, Any]:
    """Return a line of the memory as JSON."""
    return {
        "name": line.name,
        "kind": word_of(pb.MemoryLine.Kind, line.kind),
        "status": word_of(pb.MemoryLine.Status, line.status),
        "text": line.text,
        "quote": line.quote,
        "by": line.speaker,
        "project": line.project,
        "session": line.session,
        "time": line.say_time.ToJsonString() if line.HasField("say_time") else None,
        "subject": line.subject,
        "predicate": line.predicate,
        "value": line.value,
        "instruction": line.instruction,
        "confirmed": line.confirmed,
        "limited": line.limited,
    }


async def _list(
    request: web.Request, memory: MemoryClient, caller: RequestCaller
) -> web.Response:
    # Unknown parameters are refused: a misspelt filter would list or forget too much.
    wanted = parameters(request, _LISTING)
    search = pb.SearchLinesRequest(
        query=wanted.get("q", ""),
        # The default is the caller's project; an empty one selects all projects.
        project=wanted.get("project", caller.project),
        about=wanted.get("about", ""),
        speaker=wanted.get("by", ""),
        kind=_kind(wanted.get("kind", "")),
        page_size=_limit(wanted.get("limit", "")),
        page_token=wanted.get("page", ""),
    )
    if since := wanted.get("since"):
        search.since_time.FromDatetime(_time(since))
    found: pb.SearchLinesResponse = await memory.call(search, caller)
    return outcomes.json_response(
        {
            "facts": [line_json(it) for it in found.lines],
            "next_page": found.next_page_token,
            "total": found.total_size,
        }
    )


async def _say(
    value: dict[str, Any], memory: MemoryClient, caller: RequestCaller
) -> web.Response:
    check_names(value, _SAYING)
    for name in _SAYING:
        if not isinstance(value.get(name, ""), str):
            raise RequestRefused(400, f"{name} must be a string")
    if not value.get("text"):
        raise RequestRefused(400, f"send a JSON object with a text, such as {_EXAMPLE}")
    # The members are the message's fields, by the check of their names above.
    body, is_new = await say(pb.SayRequest(**value), memory, caller)
    return outcomes.json_response(body, 201 if is_new else 200)


async def _forget(
    request: web.Request, memory: MemoryClient, caller: RequestCaller
) -> web.Response:
    wanted = parameters(request, _FORGETTING)
    if not any(wanted.get(name, "").strip() for name in _SELECTING):
        raise RequestRefused(
            400,
            "say what to forget: name=, by=, project=, session= or phrase=; with "
            "preview=1 it is only shown",
        )
    # Below /in/PROJECT only its lines are selected; a name is unique without it.
    project = "" if wanted.get("name") else caller.project
    selection = pb.ForgetLinesRequest(
        speaker=wanted.get("by", ""),
        project=wanted.get("project", project),
        session=wanted.get("session", ""),
        phrase=wanted.get("phrase", ""),
        name=wanted.get("name", ""),
        preview=_flag(wanted.get("preview", "")),
        request_id=wanted.get("request_id", ""),
    )
    gone: pb.ForgetLinesResponse = await memory.call(selection, caller)
    return outcomes.json_response(
        {
            "forgotten": [line_json(it) for it in gone.lines],
            "total": gone.total_size,
            "ended": [outcomes.triple_json(it) for it in gone.statements],
            "preview": selection.preview,
        }
    )


# Parameters of requests


def parameters(request: web.Request, known: Collection[str]) -> dict[str, str]:
    """Return the parameters of a query string.

    Raises:
        RequestRefused: A parameter is repeated, unknown or not UTF-8.
    """
    query = request.query
    check_names(query, known)
    for name in query:
        # Which of two values counts would be a guess.
        if len(query.getall(name)) > 1:
            raise RequestRefused(400, f"{name} stands there twice")
        try:
            query[name].encode()
        except UnicodeEncodeError:
            raise RequestRefused(400, f"{name} is not UTF-8") from None
    return dict(query)


def check_names(given: Collection[str], known: Collection[str]) -> None:
    """Refuse unknown names of parameters or members."""
    if unknown := sorted(set(given) - set(known)):
        raise RequestRefused(
            400, f"there is no {unknown[0][:80]!a} here: use {', '.join(known)}"
        )


def _kind(written: str) -> pb.MemoryLine.Kind:
    if written and written not in _KINDS:
        raise RequestRefused(400, f"kind must be one of {', '.join(_KINDS)}")
    return _KINDS.get(written, pb.MemoryLine.KIND_UNSPECIFIED)


def _limit(written: str) -> int:
    if not written:
        return 0
    # `isdigit` alone accepts "²" and digits of other scripts.
    is_number = written.isascii() and written.isdigit() and len(written) <= _DIGITS_MAX
    number = int(written) if is_number else 0
    if not 1 <= number <= LIMIT_MAX:
        raise RequestRefused(400, f"limit must be a number from 1 to {LIMIT_MAX}")
    return number


def _time(written: str) -> datetime:
    """Return the time for an ISO 8601 text, in UTC, which is also the default zone.

    A date means its midnight.
    """
    try:
        moment = datetime.fromisoformat(written)
        if moment.tzinfo is None:
            return moment.replace(tzinfo=UTC)
        # Raises OverflowError for a year at the end of the range.
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise RequestRefused(
            400, "since must be a day or a time, such as 2026-05-01"
        ) from None


def _flag(written: str) -> bool:
    if written.lower() not in _TRUE | _FALSE:
        raise RequestRefused(400, "preview must be 1 or 0")
    return written.lower() in _TRUE
