"""Table of the JSON paths of the specification's documents, and their calls.

Bodies and responses are the messages of the calls as JSON (`mapping`); the names of the
documents are accepted as aliases of fields. `/openapi.json` describes all paths.

`?tenant=NAME` selects another tenant than the shim's.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.console.context import Handler, RequestContext, json_answer
from festinger.console.endpoints import Endpoint, check_kind, to_json
from festinger.console.errors import PageRefused
from festinger.console.graph import resolving
from festinger.console.openapi import described
from festinger.console.server import TEST_SECONDS
from festinger.console.validation.facade import table

MEMORY: Final = MemoryRecord.KIND_MEMORY
ENTITY: Final = MemoryRecord.KIND_ENTITY

# Statuses that a record gets by another path than PUT, with that path.
_ELSEWHERE: Final = {
    "active": "POST …/promote",
    "invalid": "POST …/reject",
    "graduated": "POST …/graduate",
    "superseded": "POST …/promote of the one that takes its place, with supersedes",
}


# Has no path and so no route: `_put` calls it.
_EDIT: Final = Endpoint(
    "PUT", "", "PromotionService.EditRecord", "Changes what a candidate says.",
    number="record_id"
)  # fmt: skip


def _put(kind: int) -> Handler:
    """Return a handler that edits a record or makes it a candidate again."""

    async def put(context: RequestContext) -> web.Response:
        """Change a record, or set its status to candidate."""
        await check_kind(context, kind)
        said = dict(context.form)
        if "status" not in said:
            # Only `candidate` can be put, since every other status needs a decision of its own.
            return await _EDIT.answer(context)
        status = said.pop("status")
        if status != "candidate":
            instead = _ELSEWHERE.get(status) if isinstance(status, str) else None
            raise PageRefused(
                400,
                "only status=candidate can be put: it takes a decision back. "
                + (f"Use {instead}" if instead else "Leave status out to edit"),
            )
        # A decision and an edit are two entries of the history, each with its own undo.
        if set(said) - {"etag", "request_id"}:
            raise PageRefused(400, "put either a status or what it says, not both")
        request = pb.RevertRecordRequest(
            record_id=context.number(), **context.fields("etag", "request_id")
        )
        answer = await context.ask(request)
        return json_answer(to_json(answer))

    return put


_REJECTIONS: Final = Endpoint(
    "GET", "", "ExtractionService.ListRejections", ""
)  # fmt: skip


async def rejections(context: RequestContext) -> web.Response:
    """List rejections, each with the `tenant_id` of the document's schema."""
    answer = await context.ask(_REJECTIONS.asked(context))
    listed = to_json(answer)
    for each in listed["rejections"]:
        each["tenant_id"] = context.tenant
    return json_answer(listed)


async def openapi(context: RequestContext) -> web.Response:
    """Return the OpenAPI description of all paths."""
    return json_answer(_description())


@cache
def _description() -> dict[str, Any]:
    return described(TABLE)


def _resolving() -> list[Endpoint]:
    one, conflicts = "/conflicts/{number}", "ConflictService"
    return [
        # The handlers' docstrings are the summaries in the OpenAPI document.
        Endpoint(
            method, path, rpc, (handler.__doc__ or "").strip(),
            is_plain=False, handler=handler
        )
        for method, path, rpc, handler in (
            ("GET", "/conflicts", f"{conflicts}.ListConflicts", resolving.conflicts),
            ("GET", one, f"{conflicts}.GetConflict", resolving.conflict),
            ("POST", f"{one}/resolve", "MemoryService.Resolve", resolving.resolve),
            ("POST", f"{one}/dismiss", "MemoryService.Resolve", resolving.dismiss),
            ("POST", f"{one}/undo", f"{conflicts}.Undo", resolving.undo),
            ("GET", "/resolve/run", f"{conflicts}.GetResolver", resolving.standing),
            ("POST", "/resolve/run", f"{conflicts}.Run", resolving.run),
            ("POST", "/reload", "AdminService.Reload", resolving.reload),
            ("GET", "/openapi.json", "", openapi),
        )
    ]  # fmt: skip


def _lists() -> list[Endpoint]:
    return [
        Endpoint(
            "GET", path, "PromotionService.ListRecords", summary, fixed=fixed,
            # Deferred candidates are still in the queue.
            usual={"deferred": True}
        )
        for path, summary, fixed in (
            ("/memory", "Lists memories.", {"kind": MEMORY}),
            ("/entities", "Lists entities.", {"kind": ENTITY}),
            (
                "/candidates", "Lists candidates of both kinds.",
                {"statuses": [MemoryRecord.STATUS_CANDIDATE]},
            ),
        )
    ]  # fmt: skip


def _records(root: str, kind: int) -> list[Endpoint]:
    """Return the endpoints that memories and entities share."""
    one = f"{root}/{{number}}"
    return [
        Endpoint(
            method, path, f"PromotionService.{name}Record", summary,
            number="record_id", kind=kind, handler=handler
        )
        for method, path, name, summary, handler in (
            ("GET", one, "Get", "Gets one and the way back to its source.", None),
            (
                "PUT", one, "Edit",
                "Changes what it says; status=candidate takes a decision back.",
                _put(kind),
            ),
            ("DELETE", one, "Delete", "Deletes a candidate.", None),
            ("POST", f"{one}/promote", "Promote", "Makes a candidate active.", None),
            ("POST", f"{one}/reject", "Reject", "Rejects a candidate.", None),
            ("POST", f"{one}/defer", "Defer", "Puts a candidate aside.", None),
        )
    ]  # fmt: skip


def _memories() -> list[Endpoint]:
    """Return the endpoints that only memories have."""
    return [
        Endpoint(
            "POST", f"/memory/{{number}}/{path}", f"PromotionService.{name}Record",
            summary, number="record_id", kind=MEMORY
        )
        for path, name, summary in (
            ("graduate", "Graduate", "Proposes an active memory as an entity."),
            ("confirm", "Confirm", "Confirms an active memory."),
            ("re-extract", "ReExtract", "Reads its source again."),
        )
    ]  # fmt: skip


def _sources() -> list[Endpoint]:
    """Return the endpoints of records' sources: interactions and document waves."""
    return [
        Endpoint(
            "POST", "/interactions", "ExtractionService.Capture",
            "Adds turns to the interaction of a subject's session."
        ),
        Endpoint(
            "GET", "/interactions", "ExtractionService.ListInteractions",
            "Lists interactions."
        ),
        Endpoint(
            "GET", "/interactions/{number}", "ExtractionService.GetInteraction",
            "Gets an interaction, with all that was said.",
            number="interaction_id"
        ),
        Endpoint(
            "DELETE", "/interactions/{number}", "ExtractionService.ForgetInteraction",
            "Deletes what was said in an interaction.",
            number="interaction_id"
        ),
        Endpoint(
            "POST", "/interactions/{number}/extract", "ExtractionService.Extract",
            "Has an interaction extracted now.",
            number="interaction_id", seconds=TEST_SECONDS,  # a model reads
        ),
        Endpoint(
            "GET", "/rejections", "ExtractionService.ListRejections",
            "Lists what was extracted and not stored, and why.",
            handler=rejections
        ),
        Endpoint(
            "GET", "/ingestion/waves", "IngestionService.ListWaves",
            "Lists the waves in which documents were read."
        ),
        Endpoint(
            "GET", "/ingestion/wave/{number}", "IngestionService.GetWave",
            "Gets a wave.", number="wave_id"
        ),
        Endpoint(
            "POST", "/ingestion/wave/{number}/extract", "IngestionService.ExtractWave",
            "Has today's extractors read a wave again, and answers when they begin.",
            number="wave_id", begins=True, status=202
        ),
    ]  # fmt: skip


TABLE: Final[tuple[Endpoint, ...]] = (
    *_resolving(),
    *_lists(),
    Endpoint(
        "POST", "/memory", "PromotionService.ProposeRecord",
        "Proposes a memory that was written by hand.", fixed={"kind": MEMORY}
    ),
    *_records("/memory", MEMORY),
    *_memories(),
    *_records("/entities", ENTITY),
    Endpoint(
        "GET", "/edits", "PromotionService.ListEdits",
        "Lists what was done, newest first."
    ),
    Endpoint(
        "POST", "/edits/{number}/undo", "PromotionService.UndoEdit",
        "Takes an edit back.", number="edit_id"
    ),
    *_sources(),
    Endpoint(
        "POST", "/lines/rate", "LineService.RateLine",
        "Says of a line that it helped, or is wrong and to be told no longer."
    ),
    Endpoint(
        "GET", "/project/state", "PromotionService.ListState", "Lists trusted state."
    ),
    Endpoint(
        "POST", "/project/state", "PromotionService.SetState",
        "Writes an item of a project's trusted state."
    ),
    *table(),
)  # fmt: skip

ROUTES: Final = tuple(endpoint.route for endpoint in TABLE)
# The shim hands requests below these segments to the console, whatever the method.
ROOTS: Final = tuple(sorted({f"/{it.path.split('/')[1]}/" for it in TABLE}))
"""The first segments of the facade's paths, with a trailing slash."""
