"""JSON endpoints: HTTP paths that are mapped to calls of the memory server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web
from google.protobuf.message import Message

from festinger import mapping
from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.extraction_service_pb2 import Rejection
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.api.v1.validation_pb2 import BacklogItem, ValidationEvent
from festinger.client.methods import answer_kind, request_kind
from festinger.console import enum_names
from festinger.console.access import PathAudience
from festinger.console.context import (
    Handler,
    PathRoute,
    RequestContext,
    json_answer,
    time_of,
)
from festinger.console.errors import PageRefused
from festinger.console.server import SECONDS
from festinger.errors import InvalidArgument

# Of several fields the first that the request has is meant: records have `statuses`,
# candidates `states`.
ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "memory_type": ("type", "types"),
    "entity_type": ("type", "types"),
    "type": ("types",),
    "status": ("statuses", "states"),
    "text": ("content",),
    "content": ("text",),
}
"""Aliases of the specification's documents for fields of requests."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """HTTP path and the call that it is mapped to.

    Attributes:
        method: The HTTP method.
        path: The pattern of the path, with `{number}` or `{cid}` as parameters.
        rpc: The call, as `PromotionService.PromoteRecord`.
        summary: The summary for the OpenAPI description.
        is_plain: Whether the fields of the request are those of the call's, taken from
            the query of a GET or a DELETE, or else from the body; if not, a handler has
            fields and a response of its own.
        number: The request's field for the number in the path.
        naming: Returns the request's fields for the name in the path, `{cid}`.
        named: The fields that `naming` may return.
        kind: The kind of record that the number must have; 0 for any.
        fixed: Fields of the request that the path determines.
        usual: Default values of fields.
        status: The HTTP status of a success.
        seconds: The timeout of the call in seconds.
        begins: Whether the call streams responses; only the first one is returned, and
            the operation continues.
        audience: The clients that may call it.
        changes: Whether it changes something although it is a GET.
        lines: Whether the response is a JSON object per line.
        shape: Renames the fields of a body to the request's; raises `PageRefused`.
        documented: The schemas of further names that it or the handler accepts.
        handler: A handler that replaces the plain call; None if there is none.
    """

    method: str
    path: str
    rpc: str
    summary: str
    is_plain: bool = True
    number: str = ""
    naming: Callable[[str], Mapping[str, Any]] | None = None
    named: Sequence[str] = ()
    kind: int = 0
    fixed: Mapping[str, Any] = field(default_factory=dict)
    usual: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    seconds: float = SECONDS
    begins: bool = False
    audience: PathAudience = PathAudience.OPERATORS
    changes: bool = False
    lines: bool = False
    shape: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    documented: Mapping[str, Any] = field(default_factory=dict)
    handler: Handler | None = None

    @property
    def request(self) -> type[Message] | None:
        """The type of the call's request; None if the handler has fields of its own."""
        return request_kind(self.rpc) if self.is_plain else None

    @property
    def response(self) -> type[Message] | None:
        """The type of the response; None if it is made by the handler."""
        return answer_kind(self.rpc) if self.is_plain and not self.lines else None

    @property
    def route(self) -> PathRoute:
        """The route of the endpoint."""
        return PathRoute(
            self.method,
            self.path,
            self.handler or self.answer,
            json=True,
            audience=self.audience,
            changes=self.changes,
        )

    @property
    def open_fields(self) -> list[str]:
        """The request's fields that the path does not fill."""
        if self.request is None:
            return []
        names = self.request.DESCRIPTOR.fields_by_name
        filled = {self.number, *self.named, *self.fixed}
        return [it for it in names if it not in filled]

    async def answer(self, context: RequestContext) -> web.Response:
        """Make the call and return its response. Raises `PageRefused`."""
        # Memories and entities share their numbers: /memory/7 must not change entity 7.
        if self.kind:
            await check_kind(context, self.kind)
        if self.begins:
            answers = context.follow(self.asked(context))
            # Closing the stream does not end the operation, which the server continues by itself.
            async with aclosing(answers):  # type: ignore[type-var]
                answer = await anext(answers)
        else:
            answer = await context.ask(self.asked(context), self.seconds)
        return json_answer(to_json(answer), self.status)

    def asked(self, context: RequestContext) -> Any:
        """Return the call's request for a context. Raises `PageRefused`."""
        said = self._said(context)
        request = self.message(self.shape(said) if self.shape else said)
        if self.number:
            setattr(request, self.number, context.number())
        if self.naming:
            request.MergeFrom(type(request)(**self.naming(context.path_params["cid"])))
        return request

    def message(self, said: Mapping[str, Any]) -> Any:
        """Return the call's request for given values. Raises `PageRefused`."""
        kind = request_kind(self.rpc)
        # A misspelt name that was ignored would change something else than was meant.
        allowed = set(self.open_fields)
        for name in said:
            if not {name, *ALIASES.get(name, ())} & allowed:
                fields = f"Fields: {', '.join(sorted({*allowed, *self.documented}))}"
                raise PageRefused(400, f"there is no field {name} here. {fields}")
        # Values of a query are strings: `page_size=50`, `status=pending,resolved`.
        read = (
            mapping.from_query
            if self.method in {"GET", "DELETE"}
            else mapping.to_message
        )
        try:
            request = read(said, kind, ALIASES)
        except InvalidArgument as error:
            raise PageRefused(400, error.message, error.reason.lower()) from None
        # Fields of the path are not open, so that nothing sent is merged with `fixed`.
        unsaid = {name: it for name, it in self.usual.items() if name not in said}
        request.MergeFrom(kind(**self.fixed, **unsaid))
        return request

    def _said(self, context: RequestContext) -> Mapping[str, Any]:
        if self.method in {"GET", "DELETE"}:
            # The tenant is no field of the request.
            query = context.request.query
            return {name: query[name] for name in query if name != "tenant"}
        return context.form


def to_json(message: Message) -> dict[str, Any]:
    """Return the JSON object of a response."""
    return mapping.to_object(message, _ADDING)


async def check_kind(context: RequestContext, kind: int) -> None:
    """Raise `PageRefused` unless the record of the path is of this kind."""
    record = (await context.ask(pb.GetRecordRequest(record_id=context.number()))).record
    if record.kind != kind:
        other = "an entity" if record.kind == MemoryRecord.KIND_ENTITY else "a memory"
        wanted = enum_names.record_kind(kind)
        raise PageRefused(404, f"there is no {wanted} #{record.id}: it is {other}")


def _documented(record: MemoryRecord) -> dict[str, Any]:
    """Return a record's columns by their names in the specification's documents."""
    origin = record.origin
    # The documents name the type differently for either kind of record.
    kind = "entity_type" if record.kind == MemoryRecord.KIND_ENTITY else "memory_type"
    # The quote is the text around it; the match within is what was extracted.
    begin, end = origin.quote_start, origin.quote_end
    return {
        kind: enum_names.record_type(record.type),
        "source_chunk_id": origin.chunk_id or None,
        "source_interaction_id": origin.interaction_id or None,
        "source_span": origin.quote[begin:end] or None,
        "rule": origin.rule or None,
        "extractor_version": origin.extractor_version or None,
        "pending_since": time_of(record, "pending_time"),
        "last_re_extracted_at": time_of(record, "re_extract_time"),
    }


def _documented_candidate(candidate: Candidate) -> dict[str, Any]:
    """Return a candidate's columns by their names in the validation document."""
    return {
        "factoid_cid": candidate.cid or None,
        "status": enum_names.candidate_state(candidate.state),
        "predicate_candidate_uri": candidate.predicate or None,
        "created_ts": time_of(candidate, "create_time"),
        "expires_at": time_of(candidate, "expire_time"),
        "provenance": {
            "msg_cid": candidate.message_cid or None,
            "chunk_id": candidate.chunk_id or None,
            "extractor_ver": candidate.extractor_version or None,
            "prompt_hash": candidate.prompt_hash or None,
            "model_version": candidate.model_version or None,
        },
    }


def _documented_event(event: ValidationEvent) -> dict[str, Any]:
    """Return an answer's columns by their names in the validation document."""
    return {
        "event_cid": event.cid,
        "responder_id": event.responder,
        "context_msg_cid": event.context_message_cid or None,
        "msg_cid": event.message_cid or None,
        "timestamp": time_of(event, "create_time"),
    }


def _documented_item(item: BacklogItem) -> dict[str, Any]:
    """Return a backlog item's columns by their names in the validation document."""
    return {"validation_history": [to_json(event) for event in item.events]}


def _documented_rejection(rejection: Rejection) -> dict[str, Any]:
    """Return a rejection's columns by their names in the extraction document."""
    found = rejection.validation
    return {
        "timestamp": time_of(rejection, "create_time"),
        "subject_id": rejection.subject,
        "rejection_reason": rejection.reason,
        "extracted_text": rejection.text,
        "confidence_score": rejection.confidence,
        "validation_details": {
            "exact_match": found.exact_match,
            "key_phrases": found.key_phrases,
            "semantic_similarity": found.support,
            "reason": found.reason,
        },
    }


# The documents' names stand beside the API's, so that clients of either find theirs.
_ADDING: Final[Mapping[str, mapping.Adding]] = {
    MemoryRecord.DESCRIPTOR.full_name: _documented,
    Candidate.DESCRIPTOR.full_name: _documented_candidate,
    ValidationEvent.DESCRIPTOR.full_name: _documented_event,
    BacklogItem.DESCRIPTOR.full_name: _documented_item,
    Rejection.DESCRIPTOR.full_name: _documented_rejection,
}
