"""JSON handlers for resolving conflicts, with the paths of the specification.

    GET  /conflicts                 ?status=pending&concept=gnommoweb&page_size=50
    GET  /conflicts/7
    POST /conflicts/7/resolve       {"decision": "update", "reasoning": "moved in May"}
    POST /conflicts/7/dismiss       {"reasoning": "a typing error"}
    POST /conflicts/7/undo          {"reasoning": "it was right"}
    GET  /resolve/run               returns the state of the resolver
    POST /resolve/run               starts the resolver and returns at once
    POST /reload                    reloads the memory from the database

`?tenant=NAME` selects another tenant than the shim's.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from aiohttp import web

from festinger.api.v1 import admin_service_pb2, memory_service_pb2
from festinger.api.v1 import conflict_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.edge_pb2 import Edge
from festinger.console import enum_names
from festinger.console.context import RequestContext, json_answer, time_of
from festinger.console.errors import PageRefused


async def conflicts(context: RequestContext) -> web.Response:
    """List conflicts, the most urgent first: of all states unless one is named."""
    # A query has words for the states, `pending`, as the answers have.
    status, size = context.query("status"), context.query("page_size") or "50"
    if status and status not in enum_names.STATES:
        raise PageRefused(400, f"status must be one of {', '.join(enum_names.STATES)}")
    # `isdecimal` accepts digits of all scripts. The server lowers what is over 1000.
    if not (size.isascii() and size.isdecimal() and len(size) <= 4):
        raise PageRefused(400, "page_size must be a number of at most four digits")
    request = pb.ListConflictsRequest(
        states=[enum_names.STATES[status]] if status else [],
        concept=context.query("concept"),
        page_size=int(size),
        page_token=context.query("page_token"),
    )
    page = await context.ask(request)
    return json_answer(
        {
            "conflicts": [to_conflict(each) for each in page.conflicts],
            "next_page_token": page.next_page_token,
        }
    )


async def conflict(context: RequestContext) -> web.Response:
    """Get a conflict."""
    answer = await context.ask(pb.GetConflictRequest(conflict_id=context.number()))
    return json_answer(to_conflict(answer.conflict))


async def resolve(context: RequestContext) -> web.Response:
    """Decide a conflict."""
    decision = enum_names.DECISIONS.get(context.field("decision"))
    if decision is None:
        raise PageRefused(
            400, f"decision must be one of {', '.join(enum_names.DECISIONS)}"
        )
    return await _decide(context, decision)


async def dismiss(context: RequestContext) -> web.Response:
    """Dismiss a conflict: the fact stands."""
    return await _decide(context, Conflict.DECISION_DISMISS)


async def undo(context: RequestContext) -> web.Response:
    """Undo a decision."""
    request = pb.UndoRequest(
        conflict_id=context.number(),
        **context.fields("reasoning", "etag", "request_id"),
    )
    answer = await context.ask(request)
    return json_answer(to_conflict(answer.conflict))


async def _decide(context: RequestContext, decision: Any) -> web.Response:
    request = memory_service_pb2.ResolveRequest(
        conflict_id=context.number(),
        decision=decision,
        reasoning=context.field("reasoning"),
        # From GET: the call fails if the conflict has changed since it was read.
        **context.fields(
            "etag", "request_id", "incoming_dimension", "existing_dimension"
        ),
    )
    answer = await context.ask(request)
    return json_answer(to_conflict(answer.conflict))


async def run(context: RequestContext) -> web.Response:
    """Start the resolver unless it is running, and return the run at once."""
    numbers = context.form.get("conflict_ids", [])
    if not isinstance(numbers, list) or not all(map(_is_number, numbers)):
        raise PageRefused(400, "conflict_ids must be a list of numbers")
    # The first response says that the run began; closing the stream does not end it.
    answers = context.follow(pb.RunRequest(conflict_ids=numbers))
    async with aclosing(answers):  # type: ignore[type-var]
        started = await anext(answers)
    return json_answer({"run": to_run(started.run)}, status=202)


async def standing(context: RequestContext) -> web.Response:
    """Get the state of the resolver."""
    answer = await context.ask(pb.GetResolverRequest())
    return json_answer(
        {
            "runs": [to_run(each) for each in answer.runs],
            "next_run_at": time_of(answer, "next_run_time"),
            "resting": answer.resting,
            "pending_count": answer.pending_count,
            "for_people_count": answer.for_people_count,
            "oldest_pending_at": time_of(answer, "oldest_pending_time"),
        }
    )


async def reload(context: RequestContext) -> web.Response:
    """Reload the memory from the database."""
    # Reading a large memory from the database may take minutes.
    answer = await context.ask(admin_service_pb2.ReloadRequest(), 600.0)
    return json_answer(
        {
            "version": answer.version,
            "concept_count": answer.concept_count,
            "edge_count": answer.edge_count,
            "seconds": answer.duration.ToTimedelta().total_seconds(),
        }
    )


def to_conflict(conflict: Conflict) -> dict[str, Any]:
    """Return a conflict as an object with the specification's names."""
    incoming = conflict.incoming
    # A cycle has no fact of its own that it collides with.
    held = conflict.existing if conflict.HasField("existing") else None
    settled = conflict.HasField("resolution")
    # The names are the specification's where it has one, such as `collision_type`.
    return {
        "id": conflict.id,
        "status": enum_names.state(conflict.state),
        "collision_type": enum_names.collision(conflict.type),
        "concept": incoming.concept,
        "dimension": incoming.dimension,
        "existing_parent": held.parent if held else None,
        "incoming_parent": incoming.parent,
        "existing": _edge(held) | _origin(conflict.existing_origin) if held else None,
        "incoming": {
            "is_isa": incoming.is_isa,
            "negated": incoming.negated,
            "confidence": conflict.incoming_confidence,
            "source": enum_names.source(conflict.incoming_source),
            "principal": conflict.incoming_principal,
            "evidence": conflict.evidence,
            "statement_count": conflict.statement_count,
        }
        | _origin(conflict.incoming_origin),
        "priority": conflict.priority,
        "created_at": time_of(conflict, "create_time"),
        "resolved_at": time_of(conflict.resolution, "resolve_time")
        if settled
        else None,
        "resolution": _resolution(conflict.resolution) if settled else None,
        "earlier_resolutions": [_resolution(it) for it in conflict.earlier_resolutions],
        "attempts": conflict.attempts,
        "last_error": conflict.last_error,
        "for_people": conflict.for_people,
        "etag": conflict.etag,
    }


def _origin(origin: Conflict.Origin) -> dict[str, Any]:
    """Return the quote that a side was read from; empty if it was stated directly."""
    if not origin.quote:
        return {}
    return {
        "quote": origin.quote,
        "value": origin.value,
        "speaker": origin.speaker,
        "project": origin.project,
        "said_at": time_of(origin, "said_time"),
    }


def to_run(run: pb.Run) -> dict[str, Any]:
    """Return a run of the resolver as an object."""
    counts = ("conflict", "done", "resolved", "dismissed", "failed")
    return {
        "id": run.id,
        "state": enum_names.run_state(run.state),
        "principal": run.principal,
        "started_at": time_of(run, "start_time"),
        "ended_at": time_of(run, "end_time"),
        **{f"{name}_count": getattr(run, f"{name}_count") for name in counts},
        "error": run.error,
    }


def _is_number(value: Any) -> bool:
    # `true` is an int in Python, but no number of a conflict.
    return type(value) is int and 0 < value < 2**63


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "is_isa": edge.is_isa,
        "confidence": edge.confidence,
        "source": enum_names.source(edge.source),
        "last_confirmed": time_of(edge, "last_confirm_time"),
        "assertion_id": edge.assertion_id,
    }


def _resolution(resolution: Conflict.Resolution) -> dict[str, Any]:
    return {
        "decision": enum_names.decision(resolution.decision),
        "principal": resolution.principal,
        "reasoning": resolution.reasoning,
        "resolved_at": time_of(resolution, "resolve_time"),
        "undo_principal": resolution.undo_principal,
        "undo_reasoning": resolution.undo_reasoning,
        "undone_at": time_of(resolution, "undo_time"),
    }
