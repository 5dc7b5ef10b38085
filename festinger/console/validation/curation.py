"""Pages of candidates: one of them with the answers of people so far, and what was decided."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import candidate_service_pb2 as listing
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.validation_pb2 import LANE_MODERATOR, Question, ValidationEvent
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused
from festinger.console.review import inbox
from festinger.console.review.cards import UNFILLED
from festinger.console.review.inbox import BOT_ID

PAGE_SIZE: Final = 50
DECIDED: Final = (
    Candidate.STATE_CONFIRMED,
    Candidate.STATE_REJECTED,
    Candidate.STATE_EXPIRED,
)


@dataclass(frozen=True, slots=True)
class CandidateCard:
    """Candidate with the data that a page shows.

    Attributes:
        candidate: The candidate.
        events: The answers, oldest first; empty if they are hidden.
        questions: The questions that were asked: to whom, how and when.
        asked: The question that people get; None if it is unknown.
        begin, end: The span of the match in its sentence.
        hidden: Whether the others' answers are hidden until one's own answer.
        open: Whether answers still count.
        error: Why an answer was refused; empty if none was.
    """

    candidate: Candidate
    events: Sequence[ValidationEvent]
    questions: Sequence[Question]
    asked: Question | None
    begin: int
    end: int
    hidden: bool
    open: bool
    error: str = ""


async def decided(context: RequestContext) -> web.Response:
    """List decided candidates, the newest first."""
    request = listing.ListCandidatesRequest(
        states=DECIDED,
        newest_first=True,
        page_size=PAGE_SIZE,
        page_token=context.query("page"),
    )
    page = await context.ask(request)
    return context.page(
        "candidates.html", candidates=page.candidates, next=page.next_page_token
    )


async def show_one(
    context: RequestContext, status: int = 200, error: str = ""
) -> web.Response:
    """Return the page of the path's candidate. Raises `PageRefused`."""
    card = await card_of(context, context.number(), error=error)
    return context.page(
        "candidate.html",
        status,
        card=card,
        # An answer that led to a conflict offers that instead of the undo.
        undoable=context.query("done") and not context.query_number("conflict"),
        conflict=context.query_number("conflict"),
        open_item=await inbox.waiting(context, f"candidate-{context.number()}"),
        said=UNFILLED,
    )


async def card_of(
    context: RequestContext, number: int, error: str = ""
) -> CandidateCard:
    """Return the card of a candidate. Raises `PageRefused`."""
    answer, asked = await asyncio.gather(
        context.ask(pb.GetCandidateRequest(candidate_id=number)),
        _asked(context, number),
    )
    candidate = answer.candidate
    return CandidateCard(
        candidate,
        answer.events,
        answer.questions,
        asked,
        *match_of(candidate),
        hidden=_is_blind(candidate, answer.events),
        open=is_open(candidate, context.pages.now()),
        error=error,
    )


def _is_blind(candidate: Candidate, events: Sequence[ValidationEvent]) -> bool:
    """Return whether a vote has to be given without knowing the others (I5)."""
    # Moderators are asked because people could not decide, so they see the answers; and
    # so does whoever has answered here.
    return (
        candidate.state == Candidate.STATE_PENDING_VALIDATION
        and candidate.lane != LANE_MODERATOR
        and not candidate.flagged
        and not any(event.bot_id == BOT_ID for event in events)
    )


async def day(context: RequestContext) -> pb.GetValidationMetricsResponse | None:
    """Return the metrics of the last day, or None if they are not available."""
    with suppress(PageRefused):
        metrics: pb.GetValidationMetricsResponse = await context.ask(
            pb.GetValidationMetricsRequest()
        )
        return metrics
    return None


async def _asked(context: RequestContext, number: int) -> Question | None:
    """Return the question about a candidate, or None if there is none."""
    with suppress(PageRefused):
        answer = await context.ask(pb.GetQuestionRequest(candidate_id=number))
        question: Question = answer.question
        return question
    return None


def is_open(candidate: Candidate, now: float) -> bool:
    """Return whether answers to a candidate still count (I4a)."""
    if candidate.state == Candidate.STATE_EXPIRED:
        return False
    # A decided candidate with a time takes answers until then, as one may still object.
    if candidate.HasField("expire_time"):
        return bool(now < candidate.expire_time.ToNanoseconds() / 1e9)
    return bool(candidate.state == Candidate.STATE_PENDING_VALIDATION)


def match_of(candidate: Candidate) -> tuple[int, int]:
    """Return the span of a candidate in its sentence, from the subject to the object."""
    # By the original spelling or else the token. In "I joined the Chess Club" the subject
    # is in no place, so that the span is that of the object.
    spans = [
        span
        for raw, name in (
            (candidate.subject_raw, candidate.triple.concept),
            (candidate.object_raw, candidate.triple.parent),
        )
        if (span := _found(candidate.evidence, raw) or _found(candidate.evidence, name))
    ]
    if not spans:
        return 0, 0
    return min(begin for begin, _ in spans), max(end for _, end in spans)


def _found(sentence: str, name: str) -> tuple[int, int] | None:
    """Return the span of a name in a sentence, as whole words, or None."""
    # `glitch_university` is also found as "Glitch University".
    words = [re.escape(word) for word in re.split(r"[\s_]+", name) if word]
    if not words:
        return None
    pattern = r"(?<!\w)" + r"[\s_]+".join(words) + r"(?!\w)"
    match = re.search(pattern, sentence, re.IGNORECASE)
    return match.span() if match else None


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
        return await show_one(context, refusal.status, str(refusal))
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


ROUTES: Final = (
    PathRoute("GET", "/admin/curation/decided", decided),
    PathRoute("GET", "/admin/curation/{number}", show_one),
    PathRoute("POST", "/admin/curation/{number}/{name}", answer),
)
