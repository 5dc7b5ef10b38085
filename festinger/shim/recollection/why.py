"""GET /festinger/why/SESSION: the lines sent to a conversation lately, with reasons.

The lines are shown as they were sent, except for quotations that no longer hold; those
that the memory considers for a prompt (`considered`) are computed from its current
knowledge. GET /festinger/why?prompt=TEXT does that for any text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import unquote

from aiohttp import hdrs, web

from festinger.api.v1.embedding_pb2 import Embedding
from festinger.api.v1.memory_service_pb2 import RecollectResponse
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.mapping import word_of
from festinger.shim.graph.outcomes import NOT_ANSWERED, refusal_response
from festinger.shim.proxy.guard import RequestRefused
from festinger.shim.recollection.explained import (
    considered,
    explain,
    hidden_quotes,
    lines_considered,
)
from festinger.shim.recollection.facts import parameters
from festinger.shim.recollection.ledger import ToldLine
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.recollection.request_records import (
    BlockSpot,
    LineReplacement,
    RequestRecord,
    SessionAccounts,
    SessionRequests,
)
from festinger.shim.system.calls import MemoryRefused
from festinger.shim.system.identity import RequestCaller

PATH: Final = "/festinger/why"

Embed = Callable[[str], Awaitable[Embedding | None]]

LISTED_MAX: Final = 100
"""Maximum number of listed sessions, the last used ones."""


async def why(
    request: web.Request,
    path: str,
    accounts: SessionAccounts,
    memory: MemoryClient,
    caller: RequestCaller,
    embed: Embed,
) -> web.Response:
    """Return the report on a session, on any prompt, or the list of sessions.

    Raises:
        RequestRefused: The caller has no such session, or the query has no prompt.
    """
    # Names may hold any visible character, also `/` and `%`.
    name = unquote(path.removeprefix(PATH).removeprefix("/"))
    if not name and request.query:
        return await _why_of_prompt(request, memory, caller, embed)
    if not name:
        listed = accounts.sessions(caller.principal)[:LISTED_MAX]
        sessions = {"sessions": [_summary(history) for history in listed]}
        return _answer(request, sessions, _lines_of_list(sessions))
    # Only for its own principal (E5): another's session is like one that does not exist.
    history = accounts.of(caller.principal, name)
    if history is None:
        raise RequestRefused(
            404,
            f"no session {name!r} of yours is remembered. Its name is in the header "
            f"X-Festinger-Session of its answers, and GET {PATH} lists those there "
            "are. Ask as the client that leads it: with its Authorization or "
            "X-Api-Key, or below /as/NAME",
        )
    # Copied before the awaits: further requests may arrive, and the lists must match.
    requests = list(history.requests)
    hidden = await hidden_quotes(history, memory, caller)
    told = _history(history, requests, hidden)
    explained = await considered(requests, memory, caller)
    for body, each in zip(told["requests"], explained, strict=True):
        body["considered"] = each
    return _answer(request, told, _lines_of_history(told))


async def _why_of_prompt(
    request: web.Request, memory: MemoryClient, caller: RequestCaller, embed: Embed
) -> web.Response:
    wanted = parameters(request, ("prompt", "project"))
    if not wanted.get("prompt", "").strip():
        raise RequestRefused(400, f"say which prompt: GET {PATH}?prompt=TEXT")
    try:
        body = await explain(
            wanted["prompt"],
            wanted.get("project", caller.project),
            memory,
            caller,
            # As for a real prompt, so that the scores are the same.
            await embed(wanted["prompt"]),
        )
    except MemoryRefused as refusal:
        return refusal_response(refusal, NOT_ANSWERED)
    return _answer(request, body, lines_considered(body))


def _answer(
    request: web.Request, body: dict[str, Any], lines: Iterator[str]
) -> web.Response:
    # The report quotes conversations: it must not be stored, nor be run as another type.
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    accepted = request.headers.get(hdrs.ACCEPT, "")
    # Text only if JSON is not wanted too: curl's `*/*` gets JSON.
    if "text/plain" in accepted and "application/json" not in accepted:
        return web.Response(text="\n".join(lines) + "\n", headers=headers)
    return web.json_response(body, headers=headers)


# As JSON


def _summary(history: SessionRequests) -> dict[str, Any]:
    newest = history.requests[-1]
    return {
        "session": history.session,
        "requests": len(history.requests),
        "time": _time(newest),
        "route": newest.route,
        "result": newest.result,
    }


def _history(
    history: SessionRequests,
    requests: Sequence[RequestRecord],
    hidden: Mapping[str, str],
) -> dict[str, Any]:
    standing = [
        _line(line, history.spots.get(at), history.reasons, hidden)
        for at, block in history.standing.items()
        for line in block.lines
    ]
    return {
        "session": history.session,
        "requests": [_account(account, hidden) for account in requests],
        "standing": standing,
    }


def report_of(principal: str, session: str, account: RequestRecord) -> dict[str, Any]:
    """Return the record of one request of a session as JSON."""
    return {
        "principal": principal,
        "session": session,
        # The request has just been served, so that all of its lines hold.
        **_account(account, {}),
    }


def _account(account: RequestRecord, hidden: Mapping[str, str]) -> dict[str, Any]:
    reasons = account.reasons
    body: dict[str, Any] = {
        "time": _time(account),
        "route": account.route,
        "result": account.result,
        "added_ms": round(account.milliseconds, 2),
        "blocks": account.blocks,
        "told": [_line(line, account.spot, reasons, hidden) for line in account.told],
        "rewritten": [_rewritten(it, hidden) for it in account.rewritten],
        "learnt": [
            _learnt(it) for it in (account.response or RecollectResponse()).outcomes
        ],
        "loops": [asdict(it) for it in account.loops],
    }
    if account.missed:
        body["missed"] = account.missed
    return body


def _rewritten(it: LineReplacement, hidden: Mapping[str, str]) -> dict[str, Any]:
    new = it.new and hidden.get(it.new, it.new)
    return it._replace(old=hidden.get(it.old, it.old), new=new)._asdict()


def _line(
    line: ToldLine,
    spot: BlockSpot | None,
    reasons: Mapping[tuple[str, str], str],
    hidden: Mapping[str, str],
) -> dict[str, Any]:
    kinds = ("quote", line.quote), ("memory", line.memory), ("hint", line.hint)
    return {
        **(spot._asdict() if spot else {}),
        "concept": line.concept,
        "text": hidden.get(line.text, line.text),
        "kind": next((kind for kind, is_one in kinds if is_one), "recollection"),
        "why": reasons.get(line[:2], ""),
    }


def _learnt(outcome: Outcome) -> dict[str, Any]:
    triple = outcome.triple
    learnt = {
        "concept": triple.concept,
        "relation": "isa" if triple.is_isa else "ispart",
        "parent": triple.parent,
        "dimension": triple.dimension,
        "negated": triple.negated,
        "outcome": word_of(Outcome.Verdict, outcome.verdict),
        "reason": outcome.reason,
    }
    for key in ("conflict_id", "candidate_id"):
        if number := getattr(outcome, key):
            learnt[key] = number
    return learnt


def _time(account: RequestRecord) -> str:
    moment = datetime.fromtimestamp(account.time, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# As text


def _lines_of_list(body: dict[str, Any]) -> Iterator[str]:
    if not body["sessions"]:
        yield "No session of yours is remembered. Send a prompt first."
    for each in body["sessions"]:
        yield (
            f"{each['session']}  {each['time']}  {each['route']}  {each['result']}  "
            f"({each['requests']} requests)"
        )


def _lines_of_history(body: dict[str, Any]) -> Iterator[str]:
    yield f"session {body['session']}"
    for each in body["requests"]:
        missed = f", missed: {each['missed']}" if "missed" in each else ""
        yield ""
        yield (
            f"{each['time']}  {each['route']}  {each['result']}{missed}  "
            f"+{each['added_ms']} ms, blocks: {each['blocks']}"
        )
        yield from _lines_told("told", each["told"])
        if each["considered"]:
            yield from lines_considered(each["considered"])
        for line in each["rewritten"]:
            yield f"  no longer true: {_first(line['old'])}"
            yield f"    now: {_first(line['new'] or '') or '(nothing)'}"
        for it in each["learnt"]:
            no = "not " if it["negated"] else ""
            reason = f" ({it['reason']})" if it["reason"] else ""
            yield (
                f"  {it['outcome']}{reason}: {it['concept']} -{it['relation']} "
                f"{no}{it['parent']} [{it['dimension']}]"
            )
        for it in each["loops"]:
            done = ", ".join(it["rungs"]) or it["rung"]
            yield (
                f"  loop: {it['rule']}, {it['count']} times in {it['turns']} turns; "
                f"done: {done}"
            )
    if body["standing"]:
        yield ""
        yield from _lines_told("stands now", body["standing"])


def _lines_told(heading: str, lines: list[dict[str, Any]]) -> Iterator[str]:
    before: tuple[Any, ...] | None = None
    for line in lines:
        spot = (line.get("side"), line.get("message"), line.get("path"))
        # One heading for all lines of a block.
        if spot != before:
            yield f"  {heading}{_where(line)}:"
            before = spot
        yield f"    {_first(line['text'])}   — {line['why'] or 'told earlier'}"


def _where(line: dict[str, Any]) -> str:
    if "side" not in line:
        return ""
    number = f"message {line['message']}, " if line["message"] else "made for it, "
    return f" {line['side']} {line['path']} ({number}{line['role']})"


def _first(text: str) -> str:
    """Return the first line of a text, since a hint has three."""
    return text.partition("\n")[0]
