"""Answers of moderators in Curation, to one candidate or to several at once."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_pb2 import ValidationEvent
from festinger.console.errors import PageRefused
from festinger.console.validation import curation, queue
from festinger.console.visit import PathRoute, Visit

RESPONSES: Final = {
    "confirm": ValidationEvent.RESPONSE_CONFIRMED,
    "reject": ValidationEvent.RESPONSE_REJECTED,
    "unsure": ValidationEvent.RESPONSE_ABSTAIN,
    "withdraw": ValidationEvent.RESPONSE_WITHDRAWN,
}
ACTIONS: Final = {
    "dream": pb.DirectCandidateRequest.ACTION_DREAM,
    "evidence": pb.DirectCandidateRequest.ACTION_REQUEST_EVIDENCE,
    "raise": pb.DirectCandidateRequest.ACTION_RAISE,
    "unflag": pb.DirectCandidateRequest.ACTION_UNFLAG,
}


async def answer(visit: Visit) -> web.Response:
    """Answer a candidate, and others of the same sentence if they are selected."""
    number, said = visit.number(), visit.found["name"]
    if said not in {**RESPONSES, **ACTIONS}:
        raise PageRefused(404, f"nothing is called {said} here")
    numbers = [number, *visit.numbers("alike", visit.said("alike"))]
    done, conflict, errors = await _give(visit, numbers, said)
    if errors and not done:
        error = errors[0][1]
        if _is_one(visit):
            return await curation.show_one(visit, error.status, str(error))
        return await curation.show_list(visit, error.status, str(error), number)
    undoable = _spelt(done) if said in RESPONSES and said != "withdraw" else ""
    if _is_one(visit):
        return visit.go(f"/admin/curation/{number}", done=undoable, conflict=conflict)
    kept = queue.chosen(visit).kept
    after = visit.said("next") if said != "withdraw" else number
    return visit.go(
        "/admin/curation", **kept, at=after, done=undoable, conflict=conflict
    )


async def decide(visit: Visit) -> web.Response:
    """Answer the selected candidates of the digest."""
    said = visit.said("answer")
    if said not in RESPONSES and said != "unflag":
        raise PageRefused(400, f"answer with one of {', '.join(RESPONSES)} or unflag")
    ticked = [name.removeprefix("tick-") for name in visit.form if "tick-" in name]
    numbers = visit.numbers("", ",".join(ticked))
    if not numbers:
        error = "nothing was ticked. Tick what you have looked at, then answer"
        return await curation.show_digest(visit, 400, [error])
    done, conflict, errors = await _give(visit, numbers, said)
    if errors:
        told = [f"#{number}: {error}" for number, error in errors]
        return await curation.show_digest(visit, errors[0][1].status, told)
    undoable = _spelt(done) if said in RESPONSES else ""
    return visit.go("/admin/curation/digest", done=undoable, conflict=conflict)


async def withdraw(visit: Visit) -> web.Response:
    """Withdraw the last answers."""
    numbers = visit.numbers("", visit.said("numbers"))
    if not numbers:
        raise PageRefused(400, "say which answers are taken back")
    _, _, errors = await _give(visit, numbers, "withdraw")
    view = visit.query("view")
    if errors:
        told = [f"#{number}: {error}" for number, error in errors]
        if view == "digest":
            return await curation.show_digest(visit, errors[0][1].status, told)
        return await curation.show_list(visit, errors[0][1].status, told[0])
    if view == "digest":
        return visit.go("/admin/curation/digest")
    if view == "one":
        return visit.go(f"/admin/curation/{numbers[0]}")
    return visit.go("/admin/curation", **queue.chosen(visit).kept, at=numbers[0])


async def _give(
    visit: Visit, numbers: Sequence[int], said: str
) -> tuple[list[int], int, list[tuple[int, PageRefused]]]:
    """Answer candidates one after the other.

    Returns:
        The candidates that accepted the answer; the last conflict that resulted, or 0;
        and the errors of the others.
    """
    done: list[int] = []
    conflict, errors = 0, []
    for number in numbers:
        try:
            given = await _give_one(visit, number, said)
        except PageRefused as refusal:
            errors.append((number, refusal))
            continue
        done.append(number)
        conflict = given or conflict
    return done, conflict, errors


async def _give_one(visit: Visit, number: int, said: str) -> int:
    """Answer a candidate; return the resulting conflict or 0. Raises `PageRefused`."""
    if said in ACTIONS:
        direct = pb.DirectCandidateRequest(
            candidate_id=number, action=ACTIONS[said], request_id=str(uuid.uuid4())
        )
        await visit.ask("validation.DirectCandidate", direct)
        return 0
    request = pb.AnswerRequest(
        candidate_id=number,
        response=RESPONSES[said],
        note=visit.said("note"),
        bot_id=curation.BOT_ID,
        request_id=str(uuid.uuid4()),
    )
    answer: Any = await visit.ask("validation.Answer", request)
    return int(answer.outcome.conflict_id)


def _is_one(visit: Visit) -> bool:
    return visit.query("view") == "one"


def _spelt(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


ROUTES: Final = (
    PathRoute("POST", "/admin/curation/digest", decide),
    PathRoute("POST", "/admin/curation/withdraw", withdraw),
    PathRoute("POST", "/admin/curation/{number}/{name}", answer),
)
