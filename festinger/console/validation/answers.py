"""Answers of moderators to a candidate, and what else they have done with it."""

from __future__ import annotations

import uuid
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_pb2 import ValidationEvent
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused
from festinger.console.review import inbox
from festinger.console.validation import curation

RESPONSES: Final = {
    "confirm": ValidationEvent.RESPONSE_CONFIRMED,
    "reject": ValidationEvent.RESPONSE_REJECTED,
    "unsure": ValidationEvent.RESPONSE_ABSTAIN,
    "withdraw": ValidationEvent.RESPONSE_WITHDRAWN,
}
OVERRULES: Final = ("confirm", "reject")
"""Answers that the page takes of decided candidates only."""
ACTIONS: Final = {
    "dream": pb.DirectCandidateRequest.ACTION_DREAM,
    "evidence": pb.DirectCandidateRequest.ACTION_REQUEST_EVIDENCE,
    "raise": pb.DirectCandidateRequest.ACTION_RAISE,
}


async def answer(context: RequestContext) -> web.Response:
    """Answer a candidate; go back to its page, or to where the answer came from."""
    number, said = context.number(), context.path_params["name"]
    if said not in {**RESPONSES, **ACTIONS}:
        raise PageRefused(404, f"nothing is called {said} here")
    try:
        # What waits has one place to be decided, which also shows what it contradicts.
        if said in OVERRULES and await inbox.waiting(context, f"candidate-{number}"):
            raise PageRefused(409, "it waits in the inbox: accept or reject it there")
        conflict = await _give(context, number, said)
    except PageRefused as refusal:
        return await curation.show_one(context, refusal.status, str(refusal))
    # The page offers to take an answer back, but not a withdrawal.
    done = number if said in RESPONSES and said != "withdraw" else 0
    if context.query("from") == "inbox":
        # What was withdrawn waits again, and is shown; else the list goes on.
        at = f"candidate-{number}" if said == "withdraw" else context.field("next")
        return context.go("/admin/inbox", **inbox.kept(context), at=at, answered=done)
    return context.go(f"/admin/curation/{number}", done=done, conflict=conflict)


async def _give(context: RequestContext, number: int, said: str) -> int:
    """Answer a candidate; return the resulting conflict or 0. Raises `PageRefused`."""
    if said in ACTIONS:
        direct = pb.DirectCandidateRequest(
            candidate_id=number, action=ACTIONS[said], request_id=str(uuid.uuid4())
        )
        await context.ask(direct)
        return 0
    request = pb.AnswerRequest(
        candidate_id=number,
        response=RESPONSES[said],
        note=context.field("note"),
        bot_id=inbox.BOT_ID,
        request_id=str(uuid.uuid4()),
    )
    answer: Any = await context.ask(request)
    return int(answer.outcome.conflict_id)


ROUTES: Final = (PathRoute("POST", "/admin/curation/{number}/{name}", answer),)
