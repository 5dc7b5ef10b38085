"""Requests of the clients, which may be repeated: those that change something have an id."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from festinger.api.v1 import conflict_service_pb2 as conflicts
from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1 import memory_service_pb2 as memory
from festinger.api.v1.conflict_pb2 import Conflict


def teaches_once(request: memory.RecollectRequest) -> bool:
    """Return whether reading a prompt twice changes nothing twice."""
    # A turn with a digest teaches once however often it is read; a seen one never (B6).
    return all(it.digest or it.seen for it in request.turns)


def assert_fact(fact: str) -> memory.AssertRequest:
    """Return the request to state a fact."""
    # With a request id a repeated call gets its first answer again.
    return memory.AssertRequest(fact=fact, request_id=request_id())


def retract(fact: str, why: str) -> memory.RetractRequest:
    """Return the request to take back a fact or a denial."""
    return memory.RetractRequest(fact=fact, reasoning=why, request_id=request_id())


def say(text: str, corrects: str) -> lines.SayRequest:
    """Return the request to tell something in plain words."""
    # Without an id, saying the same again would confirm it.
    return lines.SayRequest(text=text, corrects=corrects, request_id=request_id())


def search(
    words: str, since: datetime | None, **wanted: Any
) -> lines.SearchLinesRequest:
    """Return the request to look for lines."""
    request = lines.SearchLinesRequest(query=words, **wanted)
    if since is not None:
        # A naive time is taken as local, as by Python.
        request.since_time.FromDatetime(since.astimezone(UTC))
    return request


def keep_notes(
    notes: Iterable[lines.Note], session: str, project: str
) -> lines.KeepNotesRequest:
    """Return the request to keep notes exactly as they are."""
    return lines.KeepNotesRequest(
        notes=notes, session=session, project=project, request_id=request_id()
    )


def forget(**chosen: Any) -> lines.ForgetLinesRequest:
    """Return the request to forget lines; one that is gone already is an error."""
    # With a request id a second try, which finds the lines gone, is answered as the first.
    return lines.ForgetLinesRequest(**{"request_id": request_id()} | chosen)


def pending(about: str, page_token: str) -> conflicts.ListConflictsRequest:
    """Return the request to list a page of the conflicts that wait."""
    return conflicts.ListConflictsRequest(
        states=[Conflict.STATE_PENDING], concept=about, page_token=page_token
    )


def resolve(
    conflict_id: int, decision: Conflict.Decision, **fields: Any
) -> memory.ResolveRequest:
    """Return the request to settle a conflict."""
    return memory.ResolveRequest(
        conflict_id=conflict_id, decision=decision, request_id=request_id(), **fields
    )


def request_id() -> str:
    """Return a name of a call, so that its repetition changes nothing twice."""
    return uuid.uuid4().hex
