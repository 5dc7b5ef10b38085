"""Conversion of core values to API messages and back."""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b
from typing import Protocol

from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import (
    candidate_pb2,
    concept_pb2,
    conflict_pb2,
    edge_pb2,
    history_pb2,
    memory_service_pb2,
    outcome_pb2,
    triple_pb2,
    validation_pb2,
)
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.core.graph.candidates import Candidate
from festinger.core.graph.history import Event
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import Fact, Outcome, Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import Conflict, ConflictState, DecisionRecord
from festinger.core.graph.statement import to_token
from festinger.core.validation.enactment import without_votes
from festinger.core.validation.lifecycle import VoteTally
from festinger.core.validation.votes import ValidationEvent
from festinger.core.world.world import World
from festinger.errors import InvalidArgument
from festinger.rpc import filling
from festinger.rpc.fields import message_of, to_time
from festinger.rpc.system.callers import RpcCaller
from festinger.services.graph.facts import Retracted
from festinger.services.graph.whatis import Concept
from festinger.services.validation.reference import CandidateReference
from festinger.store.world.batches import RequestKey

REQUEST_ID_CHARACTERS_MAX = 128


def to_triple(triple: Triple) -> triple_pb2.Triple:
    """Convert a statement to a message."""
    message = triple_pb2.Triple()
    filling.fill_triple(message, triple)
    return message


def to_edge(fact: Fact | None) -> edge_pb2.Edge | None:
    """Convert a fact to a message; None for None."""
    if fact is None:
        return None
    message = edge_pb2.Edge()
    filling.fill_edge(message, fact)
    return message


def to_outcome(outcome: Outcome) -> outcome_pb2.Outcome:
    """Convert the outcome of a statement to a message."""
    message = outcome_pb2.Outcome()
    filling.fill_outcome(message, outcome)
    return message


def to_concept(concept: Concept) -> concept_pb2.Concept:
    """Convert a concept with its facts, conflicts and denials to a message."""
    return message_of(
        concept_pb2.Concept,
        concept.row,
        edges=[edge for fact in concept.facts if (edge := to_edge(fact))],
        conflict_ids=concept.conflicts,
        denials=[to_triple(triple) for triple in concept.denials],
    )


def to_conflict(conflict: Conflict, *, whole: bool = True) -> conflict_pb2.Conflict:
    """Convert a conflict to a message.

    Args:
        whole: Whether to include the votes, private evidence and the origins of both
            statements.
    """
    origins = (conflict.existing_origin, conflict.incoming_origin) if whole else ()
    existing, incoming = map(_to_origin, origins or (None, None))
    return message_of(
        conflict_pb2.Conflict,
        conflict,
        incoming_confidence=conflict.confidence,
        incoming_source=f"SOURCE_{conflict.source.name}",
        incoming_principal=conflict.principal,
        # Votes are blind (I5), and a private statement is for those who decide.
        evidence=conflict.evidence if whole else _seen_by_all(conflict),
        # A pending conflict is for people once models may not, or could not, decide it.
        for_people=conflict.state is ConflictState.PENDING
        and not conflict.is_for_models,
        earlier_resolutions=map(_to_resolution, conflict.earlier),
        resolution=_to_resolution(conflict.decided) if conflict.decided else None,
        existing_origin=existing,
        incoming_origin=incoming,
    )


def _to_origin(origin: StatementOrigin | None) -> conflict_pb2.Conflict.Origin | None:
    return message_of(conflict_pb2.Conflict.Origin, origin) if origin else None


def _seen_by_all(conflict: Conflict) -> str:
    return "" if conflict.private else without_votes(conflict.evidence)


def _to_resolution(decided: DecisionRecord) -> conflict_pb2.Conflict.Resolution:
    return message_of(
        conflict_pb2.Conflict.Resolution,
        decided,
        undo_principal=decided.undone_by,
        undo_reasoning=decided.undone_because,
    )


def to_event(event: Event, *, whole: bool = True) -> history_pb2.HistoryEvent:
    """Convert an event of a concept's history to a message.

    Args:
        whole: Whether to include the votes behind a conflicting statement.
    """
    # A confirmed candidate that collides keeps its votes as evidence (I2), which are blind (I5).
    with_votes = event.verdict is Verdict.CONFLICTED and not whole
    return message_of(
        history_pb2.HistoryEvent,
        event,
        event_time=to_time(event.when),
        text=without_votes(event.text) if with_votes else event.text,
    )


def to_retracted(retracted: Retracted) -> memory_service_pb2.RetractResponse:
    """Convert the result of a retraction to a response."""
    return memory_service_pb2.RetractResponse(
        triple=to_triple(retracted.retraction.triple),
        edge=to_edge(retracted.retraction.fact),
        settled_conflict_ids=retracted.settled,
        assertion_id=retracted.retraction.id,
        version=retracted.version,
    )


def to_candidate(
    candidate: Candidate, tally: VoteTally | None = None
) -> candidate_pb2.Candidate:
    """Convert a candidate to a message.

    Args:
        tally: The result of the votes so far; None if the caller may not see it.
    """
    return message_of(candidate_pb2.Candidate, candidate, tally=_to_tally(tally))


def _to_tally(tally: VoteTally | None) -> validation_pb2.Tally | None:
    if tally is None:
        return None
    return message_of(validation_pb2.Tally, tally, counted_together=tally.together)


def to_validation_event(event: ValidationEvent) -> validation_pb2.ValidationEvent:
    """Convert an answer to a message."""
    return message_of(validation_pb2.ValidationEvent, event)


def from_time(time: Timestamp, field: str) -> float:
    """Convert a timestamp to epoch seconds, or raise `InvalidArgument`."""
    try:
        # The date is always true: it is made only to have the range checked.
        return time.ToMicroseconds() / 1e6 if _to_date(time) else 0.0
    # The years 1 to 9999 are all that `datetime` has.
    except (ValueError, OverflowError):
        raise InvalidArgument(
            f"{field} must lie between the years 1 and 9999", field=field
        ) from None


def _to_date(time: Timestamp) -> datetime:
    # Protobuf counts nanoseconds forward, also before 1970; others would shift the seconds.
    if not 0 <= time.nanos < 1_000_000_000:
        raise ValueError("nanoseconds")
    return time.ToDatetime()


class IdentifiedRequest(Protocol):
    """Request with an id: a retry is answered with the result of the first call."""

    request_id: str

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes:
        """Serialize the request."""


def request_key(request: IdentifiedRequest, caller: RpcCaller) -> RequestKey | None:
    """Return a call's idempotency key, None without an id; or `InvalidArgument`."""
    if not request.request_id:
        return None
    checked(request.request_id, "request_id", REQUEST_ID_CHARACTERS_MAX)
    # One id for two methods or two payloads is a client's mistake, and no repetition.
    method = type(request).__name__.removesuffix("Request")
    # Deterministic: protobuf may otherwise write the entries of a map in any order.
    payload = blake2b(request.SerializeToString(deterministic=True), digest_size=16)
    return RequestKey(caller.principal, request.request_id, method, payload.digest())


def checked(text: str, field: str, characters_max: int) -> str:
    """Check that a text can be stored and searched for, and return it.

    Raises:
        InvalidArgument: It is too long, or holds a NUL, which Postgres cannot store.
    """
    if len(text) > characters_max:
        raise InvalidArgument(
            f"{field} has at most {characters_max} characters, this one has "
            f"{len(text)}",
            field=field,
        )
    # Postgres refuses the whole statement then, with an error that names no field.
    if "\0" in text:
        raise InvalidArgument(f"{field} must not hold a NUL character", field=field)
    return text


def held_token(world: World, name: str, field: str) -> str:
    """Return the token that a name of a request stands for. Raises `NotATokenError`."""
    # A project's noun, `catalog/staging`, and a value, `04:30 every night`, are no tokens.
    return name if world.id(name) is not None else to_token(name, field)


def optional_token(world: World, name: str, field: str) -> str:
    """Return the same, or an empty text for an empty name."""
    return held_token(world, name, field) if name else ""


NAME_CHARACTERS_MAX = 200


def reference_of(
    request: pb.GetCandidateRequest | pb.GetQuestionRequest | pb.AnswerRequest,
) -> CandidateReference:
    """Return the reference of a request to a candidate."""
    # All three are passed on; `CandidateReference.read` takes the first that is set.
    return CandidateReference(
        request.candidate_id,
        checked(request.candidate_cid, "candidate_cid", NAME_CHARACTERS_MAX),
        checked(request.external_id, "external_id", NAME_CHARACTERS_MAX),
    )
