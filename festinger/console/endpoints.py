"""What answers programs: a path, and the call that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web
from google.protobuf.message import Message

from festinger import mapping
from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.claim_pb2 import Claim
from festinger.api.v1.factoid_pb2 import Factoid
from festinger.api.v1.validation_pb2 import BacklogItem, ValidationEvent
from festinger.console import words
from festinger.console.access import PathAudience
from festinger.console.errors import PageRefused
from festinger.console.server import SECONDS
from festinger.console.visit import Handler, PathRoute, Visit, json_answer
from festinger.errors import InvalidArgument

ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "memory_type": ("type", "types"),
    "entity_type": ("type", "types"),
    "type": ("types",),
    "status": ("statuses", "states"),
    "text": ("content",),
    "content": ("text",),
}
"""Names of the specification's documents for fields of requests."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A path that programs ask, and the call behind it.

    Attributes:
        rpc: The call, as `promotion.PromoteClaim`.
        summary: What it does, for the description of all.
        request: What the call is sent. Its fields are those of the query of a GET or a
            DELETE, or of the body.
        response: What it answers; None if the handler words it by itself.
        number: The request's field that the number in the path fills.
        naming: The fields that the name in the path, `{cid}`, fills.
        named: Which those may be.
        kind: What the number has to be of; 0 if that is one.
        fixed: Fields of the request that the path says.
        usual: Fields that are so unless somebody says otherwise.
        status: Of an answer.
        seconds: How long the call may take.
        begins: Whether the call has many answers; the first is told, and it goes on.
        audience: Whom it is for.
        claims: Whether it changes something, though it is a GET.
        lines: Whether it answers with a JSON object a line.
        shape: Puts a body of the documents into the request's names; raises `PageRefused`.
        documented: The schemas of the names that it, or the handler, takes besides.
        handler: What answers in its stead; None if the call does as it is.
    """

    method: str
    path: str
    rpc: str
    summary: str
    request: type[Message] | None = None
    response: type[Message] | None = None
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
    claims: bool = False
    lines: bool = False
    shape: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    documented: Mapping[str, Any] = field(default_factory=dict)
    handler: Handler | None = None

    @property
    def route(self) -> PathRoute:
        """As the console's other routes."""
        return PathRoute(
            self.method,
            self.path,
            self.handler or self.answer,
            json=True,
            audience=self.audience,
            claims=self.claims,
        )

    @property
    def open_fields(self) -> list[str]:
        """The request's fields that neither the path nor its number says."""
        if self.request is None:
            return []
        names = self.request.DESCRIPTOR.fields_by_name
        filled = {self.number, *self.named, *self.fixed}
        return [it for it in names if it not in filled]

    async def answer(self, visit: Visit) -> web.Response:
        """Makes the call. Raises `PageRefused`."""
        if self.kind:
            await check_kind(visit, self.kind)
        if self.begins:
            answers = visit.follow(self.rpc, self.asked(visit))
            async with aclosing(answers):  # type: ignore[type-var]
                answer = await anext(answers)
        else:
            answer = await visit.ask(self.rpc, self.asked(visit), self.seconds)
        return json_answer(to_json(answer), self.status)

    def asked(self, visit: Visit) -> Any:
        """The message to send. Raises `PageRefused`."""
        assert self.request is not None, "only a handler does without"
        said = self._said(visit)
        request = self.message(self.shape(said) if self.shape else said)
        if self.number:
            setattr(request, self.number, visit.number())
        if self.naming:
            request.MergeFrom(self.request(**self.naming(visit.found["cid"])))
        return request

    def message(self, said: Mapping[str, Any]) -> Any:
        """The message of what somebody said. Raises `PageRefused`."""
        assert self.request is not None, "only a handler does without"
        allowed = set(self.open_fields)
        for name in said:
            if not {name, *ALIASES.get(name, ())} & allowed:
                fields = f"Fields: {', '.join(sorted({*allowed, *self.documented}))}"
                raise PageRefused(400, f"there is no field {name} here. {fields}")
        read = (
            mapping.from_query
            if self.method in {"GET", "DELETE"}
            else mapping.to_message
        )
        try:
            request = read(said, self.request, ALIASES)
        except InvalidArgument as error:
            raise PageRefused(400, error.message, error.reason.lower()) from None
        unsaid = {name: it for name, it in self.usual.items() if name not in said}
        request.MergeFrom(self.request(**self.fixed, **unsaid))
        return request

    def _said(self, visit: Visit) -> Mapping[str, Any]:
        if self.method in {"GET", "DELETE"}:
            # Whose memory it is, is no part of what is asked.
            query = visit.request.query
            return {name: query[name] for name in query if name != "tenant"}
        return visit.form


def to_json(message: Any) -> dict[str, Any]:
    """The JSON object of an answer."""
    return mapping.to_object(message, _ADDING)


async def check_kind(visit: Visit, kind: int) -> None:
    """Finds out whether the number of the path is of this kind.

    Raises:
        Refused: It is of the other one, or of none.
    """
    request = pb.GetClaimRequest(claim_id=visit.number())
    claim = (await visit.ask("promotion.GetClaim", request)).claim
    if claim.kind != kind:
        other = "an entity" if claim.kind == Claim.KIND_ENTITY else "a memory"
        wanted = words.claim_kind(kind)
        raise PageRefused(404, f"there is no {wanted} #{claim.id}: it is {other}")


def _documented(claim: Any) -> dict[str, Any]:
    """What the specification's documents call a claim's columns."""
    origin = claim.origin
    kind = "entity_type" if claim.kind == Claim.KIND_ENTITY else "memory_type"
    begin, end = origin.quote_start, origin.quote_end
    return {
        kind: words.claim_type(claim.type),
        "source_chunk_id": origin.chunk_id or None,
        "source_interaction_id": origin.interaction_id or None,
        "source_span": origin.quote[begin:end] or None,
        "rule": origin.rule or None,
        "extractor_version": origin.extractor_version or None,
        "pending_since": _time(claim, "pending_time"),
        "last_re_extracted_at": _time(claim, "re_extract_time"),
    }


def _time(claim: Any, name: str) -> str | None:
    if not claim.HasField(name):
        return None
    text: str = getattr(claim, name).ToJsonString()
    return text


def _documented_factoid(factoid: Any) -> dict[str, Any]:
    """What the validation document calls a candidate's columns."""
    return {
        "factoid_cid": factoid.cid or None,
        "status": words.factoid_state(factoid.state),
        "predicate_candidate_uri": factoid.predicate or None,
        "created_ts": _time(factoid, "create_time"),
        "expires_at": _time(factoid, "expire_time"),
        "provenance": {
            "msg_cid": factoid.message_cid or None,
            "chunk_id": factoid.chunk_id or None,
            "extractor_ver": factoid.extractor_version or None,
            "prompt_hash": factoid.prompt_hash or None,
            "model_version": factoid.model_version or None,
        },
    }


def _documented_event(event: Any) -> dict[str, Any]:
    """What the validation document calls an answer's columns."""
    return {
        "event_cid": event.cid,
        "responder_id": event.responder,
        "context_msg_cid": event.context_message_cid or None,
        "msg_cid": event.message_cid or None,
        "timestamp": _time(event, "create_time"),
    }


def _documented_item(item: Any) -> dict[str, Any]:
    """What the validation document calls the columns of what waits for dreaming."""
    return {"validation_history": [to_json(event) for event in item.events]}


_ADDING: Final[Mapping[str, mapping.Adding]] = {
    Claim.DESCRIPTOR.full_name: _documented,
    Factoid.DESCRIPTOR.full_name: _documented_factoid,
    ValidationEvent.DESCRIPTOR.full_name: _documented_event,
    BacklogItem.DESCRIPTOR.full_name: _documented_item,
}
