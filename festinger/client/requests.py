"""Calls of the clients, prepared: the method, the request, and what may be repeated."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from festinger.api.v1 import concept_service_pb2 as concepts
from festinger.api.v1 import conflict_service_pb2 as conflicts
from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1 import memory_service_pb2 as memory
from festinger.api.v1.conflict_pb2 import Conflict

Answer = TypeVar("Answer", bound=Message)


@dataclass(frozen=True, slots=True)
class PreparedCall(Generic[Answer]):
    """A call that can be made.

    Attributes:
        method: Service and method. Example: `MemoryService.Assert`.
        request: The request.
        answer: Class of the response.
        repeatable: Whether a server that reads it twice changes nothing twice.
    """

    method: str
    request: Message
    answer: type[Answer]
    repeatable: bool = True


def tokenise(text: str) -> PreparedCall[memory.TokeniseResponse]:
    """Prepare splitting a text into tokens."""
    request = memory.TokeniseRequest(text=text)
    return PreparedCall("MemoryService.Tokenise", request, memory.TokeniseResponse)


def recollect(
    request: memory.RecollectRequest,
) -> PreparedCall[memory.RecollectResponse]:
    """Prepare reading a prompt; it may be repeated if every turn has a digest."""
    # A turn with a digest teaches once however often it is read; a seen one never (B6).
    repeatable = all(it.digest or it.seen for it in request.turns)
    answer = memory.RecollectResponse
    return PreparedCall("MemoryService.Recollect", request, answer, repeatable)


def assert_fact(fact: str) -> PreparedCall[memory.AssertResponse]:
    """Prepare stating a fact."""
    # With a request id a repeated call gets its first answer again.
    request = memory.AssertRequest(fact=fact, request_id=request_id())
    return PreparedCall("MemoryService.Assert", request, memory.AssertResponse)


def retract(fact: str, why: str) -> PreparedCall[memory.RetractResponse]:
    """Prepare taking back a fact or a denial."""
    request = memory.RetractRequest(fact=fact, reasoning=why, request_id=request_id())
    return PreparedCall("MemoryService.Retract", request, memory.RetractResponse)


def say(text: str, corrects: str) -> PreparedCall[lines.SayResponse]:
    """Prepare telling something in plain words."""
    # Without an id, saying the same again would confirm it.
    request = lines.SayRequest(text=text, corrects=corrects, request_id=request_id())
    return PreparedCall("LineService.Say", request, lines.SayResponse)


def search(
    words: str, since: datetime | None, **wanted: Any
) -> PreparedCall[lines.SearchLinesResponse]:
    """Prepare looking for lines."""
    request = lines.SearchLinesRequest(query=words, **wanted)
    if since is not None:
        # A naive time is taken as local, as by Python.
        request.since_time.FromDatetime(since.astimezone(UTC))
    return PreparedCall("LineService.SearchLines", request, lines.SearchLinesResponse)


def keep_notes(
    notes: Iterable[lines.Note], session: str, project: str
) -> PreparedCall[lines.KeepNotesResponse]:
    """Prepare keeping notes exactly as they are."""
    request = lines.KeepNotesRequest(
        notes=notes, session=session, project=project, request_id=request_id()
    )
    return PreparedCall("LineService.KeepNotes", request, lines.KeepNotesResponse)


def forget(**chosen: Any) -> PreparedCall[lines.ForgetLinesResponse]:
    """Prepare forgetting lines; one that is gone already is an error."""
    # With a request id a second try, which finds the lines gone, is answered as the first.
    request = lines.ForgetLinesRequest(**{"request_id": request_id()} | chosen)
    return PreparedCall("LineService.ForgetLines", request, lines.ForgetLinesResponse)


def concept(name: str) -> PreparedCall[concepts.GetConceptResponse]:
    """Prepare getting a concept and the facts that place it."""
    request = concepts.GetConceptRequest(token=name)
    answer = concepts.GetConceptResponse
    return PreparedCall("ConceptService.GetConcept", request, answer)


def pending(
    about: str, page_token: str
) -> PreparedCall[conflicts.ListConflictsResponse]:
    """Prepare listing a page of the conflicts that wait."""
    request = conflicts.ListConflictsRequest(
        states=[Conflict.STATE_PENDING], concept=about, page_token=page_token
    )
    answer = conflicts.ListConflictsResponse
    return PreparedCall("ConflictService.ListConflicts", request, answer)


def resolve(
    conflict_id: int, decision: Conflict.Decision, **fields: Any
) -> PreparedCall[memory.ResolveResponse]:
    """Prepare settling a conflict."""
    request = memory.ResolveRequest(
        conflict_id=conflict_id, decision=decision, request_id=request_id(), **fields
    )
    return PreparedCall("MemoryService.Resolve", request, memory.ResolveResponse)


def request_id() -> str:
    """Return a name of a call, so that its repetition changes nothing twice."""
    return uuid.uuid4().hex
