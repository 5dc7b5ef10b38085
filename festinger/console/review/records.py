"""Actions of reviewers on records; each is an edit that can be undone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.console.errors import PageRefused
from festinger.console.review import inbox, review
from festinger.console.review.cards import FILLED
from festinger.console.visit import PathRoute, Visit
from festinger.console.words import RECORD_KINDS, RECORD_TYPES

WRITTEN: Final = ("kind", "type", "content", "project", "subject", "fact")
"""Form fields of a candidate that is written by hand."""


async def revert(visit: Visit) -> web.StreamResponse:
    """Make a record a candidate again."""
    request = pb.RevertRecordRequest(record_id=visit.number(), etag=visit.said("etag"))
    return await _decided(visit, "RevertRecord", request)


async def confirm(visit: Visit) -> web.StreamResponse:
    """Confirm an active memory."""
    request = pb.ConfirmRecordRequest(record_id=visit.number())
    return await _decided(visit, "ConfirmRecord", request)


async def edit(visit: Visit) -> web.StreamResponse:
    """Edit a candidate, and promote it on request."""
    request = pb.EditRecordRequest(
        record_id=visit.number(),
        content=visit.said("content"),
        type=RECORD_TYPES.get(visit.said("type"), 0),
        # The API keeps a fact that is left out; `-` removes it, as an emptied field means.
        fact=visit.said("fact") or "-",
        etag=visit.said("etag"),
    )
    try:
        edited = await _ask(visit, "EditRecord", request)
        if not visit.said("promote"):
            return _back(visit, [edited.edit_id])
        promoted = await _ask(
            visit,
            "PromoteRecord",
            # With the etag of the edited record: a change of somebody else in between is refused.
            pb.PromoteRecordRequest(record_id=visit.number(), etag=edited.record.etag),
        )
    except PageRefused as refusal:
        return await _refused(visit, refusal)
    # Both are undone by one press of the button.
    return _back(visit, [edited.edit_id, promoted.edit_id])


async def delete(visit: Visit) -> web.StreamResponse:
    """Delete a candidate."""
    request = pb.DeleteRecordRequest(record_id=visit.number(), etag=visit.said("etag"))
    try:
        answer = await _ask(visit, "DeleteRecord", request)
    except PageRefused as refusal:
        return await _refused(visit, refusal)
    return visit.go("/admin/inbox", edits=answer.edit_id)


async def graduate(visit: Visit) -> web.StreamResponse:
    """Propose an active memory as an entity."""
    request = pb.GraduateRecordRequest(
        record_id=visit.number(),
        type=RECORD_TYPES.get(visit.said("type"), 0),
        fact=visit.said("fact"),
        etag=visit.said("etag"),
    )
    try:
        answer = await _ask(visit, "GraduateRecord", request)
    except PageRefused as refusal:
        return await _refused(visit, refusal)
    return visit.go(f"/admin/review/{answer.entity.id}")


async def re_extract(visit: Visit) -> web.StreamResponse:
    """Extract the source of a record again."""
    request = pb.ReExtractRecordRequest(record_id=visit.number())
    try:
        answer = await _ask(visit, "ReExtractRecord", request)
    except PageRefused as refusal:
        return await _refused(visit, refusal)
    return visit.go(
        f"/admin/review/{visit.number()}",
        reread=1,
        # In compact form: one document may give many records.
        found=_joined([record.id for record in answer.records]),
        again=answer.found_again_count,
    )


async def undo(visit: Visit) -> web.StreamResponse:
    """Undo edits, newest first."""
    left = set(visit.numbers("edits", visit.said("edits")))
    if not left:
        raise PageRefused(400, "say which edit to take back")
    back, about, count = visit.query("from"), 0, len(left)
    try:
        # Newest first, since only the latest edit of a record can be taken back.
        while left:
            request = pb.UndoEditRequest(edit_id=max(left))
            answer = await _ask(visit, "UndoEdit", request)
            about = answer.record.id or about
            left.discard(request.edit_id)
            # Edits of one decision are undone together; asking for those would fail.
            if left:
                edits = await review.newest(visit, count)
                left -= {it.id for it in edits if it.undone_by}
    except PageRefused as refusal:
        if back == "history":
            return await review.show_history(visit, refusal.status, str(refusal))
        # Elsewhere the error has a page of its own.
        raise
    if back == "history":
        return visit.go("/admin/review/history")
    if back == "inbox" or not about:
        return visit.go("/admin/inbox", **inbox.kept(visit), at=f"record-{about}")
    return visit.go(f"/admin/review/{about}")


async def new(visit: Visit) -> web.Response:
    """Show the form for a candidate that is written by hand."""
    return _form(visit)


async def propose(visit: Visit) -> web.StreamResponse:
    """Propose a candidate that is written by hand."""
    request = pb.ProposeRecordRequest(
        kind=RECORD_KINDS.get(visit.said("kind"), 0),
        type=RECORD_TYPES.get(visit.said("type"), 0),
        content=visit.said("content"),
        project=visit.said("project"),
        subject=visit.said("subject"),
        fact=visit.said("fact"),
    )
    try:
        answer = await _ask(visit, "ProposeRecord", request)
    except PageRefused as refusal:
        return _form(visit, refusal.status, str(refusal))
    return visit.go(f"/admin/review/{answer.record.id}")


def _form(visit: Visit, status: int = 200, error: str = "") -> web.Response:
    return visit.page(
        "new_record.html",
        status,
        said={name: visit.said(name) for name in WRITTEN},
        error=error,
        kinds=list(RECORD_KINDS),
        types=list(RECORD_TYPES),
    )


async def _ask(visit: Visit, name: str, request: Any) -> Any:
    # Each press of a button is a call of its own; browsers do not repeat them.
    request.request_id = str(uuid.uuid4())
    return await visit.ask(f"PromotionService.{name}", request)


async def _decided(visit: Visit, name: str, request: Any) -> web.StreamResponse:
    """Make a call; redirect to the page it came from, or show the record and the error."""
    try:
        answer = await _ask(visit, name, request)
    except PageRefused as refusal:
        return await _refused(visit, refusal)
    return _back(visit, [answer.edit_id])


def _back(visit: Visit, edits: Sequence[int]) -> web.StreamResponse:
    number = visit.number()
    if visit.query("from") != "inbox":
        return visit.go(f"/admin/review/{number}")
    at = visit.said("next") or f"record-{number}"
    return visit.go("/admin/inbox", **inbox.kept(visit), at=at, edits=_joined(edits))


async def _refused(visit: Visit, refusal: PageRefused) -> web.StreamResponse:
    """Show the current record and the error of a refused action."""
    # The record is gone: its page cannot be shown.
    if refusal.status == 404:
        raise refusal
    error = refusal.as_of_now("decide")
    said = {name: visit.said(name) for name in FILLED}
    return await review.show_record(visit, refusal.status, error, said)


def _joined(numbers: Sequence[int]) -> str:
    """Format numbers compactly for a URL: `7,9-11`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            # Extend the last run: `[7]` to `[7, 8]`, `[7, 8]` to `[7, 9]`.
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)


_ONE: Final = "/admin/review/{number}"

ROUTES: Final = (
    PathRoute("GET", "/admin/review/new", new),
    PathRoute("POST", "/admin/review/propose", propose),
    PathRoute("POST", "/admin/review/undo", undo),
    PathRoute("POST", f"{_ONE}/revert", revert),
    PathRoute("POST", f"{_ONE}/confirm", confirm),
    PathRoute("POST", f"{_ONE}/edit", edit),
    PathRoute("POST", f"{_ONE}/delete", delete),
    PathRoute("POST", f"{_ONE}/graduate", graduate),
    PathRoute("POST", f"{_ONE}/re-extract", re_extract),
)
