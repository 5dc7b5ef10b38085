"""Actions of reviewers on records; each is an edit that can be undone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.console.context import PathRoute, RequestContext
from festinger.console.enum_names import RECORD_KINDS, RECORD_TYPES
from festinger.console.errors import PageRefused
from festinger.console.review import inbox, review
from festinger.console.review.cards import FILLED

WRITTEN: Final = ("kind", "type", "content", "project", "subject", "fact")
"""Form fields of a candidate that is written by hand."""


async def revert(context: RequestContext) -> web.StreamResponse:
    """Make a record a candidate again."""
    request = pb.RevertRecordRequest(
        record_id=context.number(), etag=context.field("etag")
    )
    return await _decided(context, request)


async def confirm(context: RequestContext) -> web.StreamResponse:
    """Confirm an active memory."""
    return await _decided(context, pb.ConfirmRecordRequest(record_id=context.number()))


async def edit(context: RequestContext) -> web.StreamResponse:
    """Edit a candidate, and promote it on request."""
    request = pb.EditRecordRequest(
        record_id=context.number(),
        content=context.field("content"),
        type=RECORD_TYPES.get(context.field("type"), 0),
        # The API keeps a fact that is left out; `-` removes it, as an emptied field means.
        fact=context.field("fact") or "-",
        etag=context.field("etag"),
    )
    try:
        edited = await _ask(context, request)
        if not context.field("promote"):
            return _back(context, [edited.edit_id])
        promoted = await _ask(
            context,
            # With the etag of the edited record: a change of somebody else in between is refused.
            pb.PromoteRecordRequest(
                record_id=context.number(), etag=edited.record.etag
            ),
        )
    except PageRefused as refusal:
        return await _refused(context, refusal)
    # Both are undone by one press of the button.
    return _back(context, [edited.edit_id, promoted.edit_id])


async def delete(context: RequestContext) -> web.StreamResponse:
    """Delete a candidate."""
    request = pb.DeleteRecordRequest(
        record_id=context.number(), etag=context.field("etag")
    )
    try:
        answer = await _ask(context, request)
    except PageRefused as refusal:
        return await _refused(context, refusal)
    return context.go("/admin/inbox", edits=answer.edit_id)


async def graduate(context: RequestContext) -> web.StreamResponse:
    """Propose an active memory as an entity."""
    request = pb.GraduateRecordRequest(
        record_id=context.number(),
        type=RECORD_TYPES.get(context.field("type"), 0),
        **context.fields("fact", "etag"),
    )
    try:
        answer = await _ask(context, request)
    except PageRefused as refusal:
        return await _refused(context, refusal)
    return context.go(f"/admin/review/{answer.entity.id}")


async def re_extract(context: RequestContext) -> web.StreamResponse:
    """Extract the source of a record again."""
    request = pb.ReExtractRecordRequest(record_id=context.number())
    try:
        answer = await _ask(context, request)
    except PageRefused as refusal:
        return await _refused(context, refusal)
    return context.go(
        f"/admin/review/{context.number()}",
        reread=1,
        # In compact form: one document may give many records.
        found=_joined([record.id for record in answer.records]),
        again=answer.found_again_count,
    )


async def undo(context: RequestContext) -> web.StreamResponse:
    """Undo edits, newest first."""
    left = set(context.numbers("edits", context.field("edits")))
    if not left:
        raise PageRefused(400, "say which edit to take back")
    back, about, count = context.query("from"), 0, len(left)
    try:
        # Newest first, since only the latest edit of a record can be taken back.
        while left:
            request = pb.UndoEditRequest(edit_id=max(left))
            answer = await _ask(context, request)
            about = answer.record.id or about
            left.discard(request.edit_id)
            # Edits of one decision are undone together; asking for those would fail.
            if left:
                edits = await review.newest(context, count)
                left -= {it.id for it in edits if it.undone_by}
    except PageRefused as refusal:
        if back == "history":
            return await review.show_history(context, refusal.status, str(refusal))
        # Elsewhere the error has a page of its own.
        raise
    if back == "history":
        return context.go("/admin/review/history")
    if back == "inbox" or not about:
        return context.go("/admin/inbox", **inbox.kept(context), at=f"record-{about}")
    return context.go(f"/admin/review/{about}")


async def propose(context: RequestContext) -> web.StreamResponse:
    """Propose a candidate that is written by hand."""
    request = pb.ProposeRecordRequest(
        kind=RECORD_KINDS.get(context.field("kind"), 0),
        type=RECORD_TYPES.get(context.field("type"), 0),
        **context.fields("content", "project", "subject", "fact"),
    )
    try:
        answer = await _ask(context, request)
    except PageRefused as refusal:
        return await new(context, refusal.status, str(refusal))
    return context.go(f"/admin/review/{answer.record.id}")


async def new(
    context: RequestContext, status: int = 200, error: str = ""
) -> web.Response:
    """Show the form for a candidate that is written by hand."""
    return context.page(
        "new_record.html",
        status,
        said=context.fields(*WRITTEN),
        error=error,
        kinds=list(RECORD_KINDS),
        types=list(RECORD_TYPES),
    )


async def _ask(context: RequestContext, request: Any) -> Any:
    # Each press of a button is a call of its own; browsers do not repeat them.
    request.request_id = str(uuid.uuid4())
    return await context.ask(request)


async def _decided(context: RequestContext, request: Any) -> web.StreamResponse:
    """Make a call; redirect to the page it came from, or show the record and the error."""
    try:
        answer = await _ask(context, request)
    except PageRefused as refusal:
        return await _refused(context, refusal)
    return _back(context, [answer.edit_id])


def _back(context: RequestContext, edits: Sequence[int]) -> web.StreamResponse:
    number = context.number()
    if context.query("from") != "inbox":
        return context.go(f"/admin/review/{number}")
    at = context.field("next") or f"record-{number}"
    return context.go(
        "/admin/inbox", **inbox.kept(context), at=at, edits=_joined(edits)
    )


async def _refused(context: RequestContext, refusal: PageRefused) -> web.StreamResponse:
    """Show the current record and the error of a refused action."""
    # The record is gone: its page cannot be shown.
    if refusal.status == 404:
        raise refusal
    error = refusal.as_of_now("decide")
    said = context.fields(*FILLED)
    return await review.show_record(context, refusal.status, error, said)


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
