"""Conversion of core values to API messages and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from hashlib import blake2b
from typing import Protocol, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import (
    candidate_pb2,
    concept_pb2,
    conflict_pb2,
    edge_pb2,
    extraction_service_pb2,
    history_pb2,
    memory_service_pb2,
    outcome_pb2,
    triple_pb2,
    validation_pb2,
)
from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.history import Event, Happening
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import Fact, Outcome, Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import (
    Conflict,
    ConflictDecision,
    ConflictState,
    DecisionRecord,
)
from festinger.core.memories.interaction import InteractionState
from festinger.core.validation.enactment import without_votes
from festinger.core.validation.events import ValidationEvent
from festinger.core.validation.lifecycle import VoteTally
from festinger.core.validation.questions import QuestionState
from festinger.errors import InvalidArgument
from festinger.rpc import filling
from festinger.rpc.system.callers import RpcCaller
from festinger.services.graph.retract import Retracted
from festinger.services.graph.whatis import Concept
from festinger.store.world.batches import RequestKey

REQUEST_ID_CHARACTERS_MAX = 128

_State = TypeVar(
    "_State", ConflictState, CandidateState, InteractionState, QuestionState
)

_KINDS: Mapping[Happening, history_pb2.HistoryEvent.Kind] = {
    Happening.STATED: history_pb2.HistoryEvent.KIND_STATED,
    Happening.RETRACTED: history_pb2.HistoryEvent.KIND_RETRACTED,
    Happening.RULED: history_pb2.HistoryEvent.KIND_RULED,
    Happening.ENDED: history_pb2.HistoryEvent.KIND_ENDED,
    Happening.SETTLED: history_pb2.HistoryEvent.KIND_SETTLED,
}


def to_time(seconds: float | None) -> Timestamp | None:
    """Convert epoch seconds to a timestamp; None for None, 0 and infinity."""
    if seconds is None or not filling.is_moment(seconds):
        return None
    message = Timestamp()
    filling.fill_time(message, seconds)
    return message


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
    return concept_pb2.Concept(
        id=concept.row.id,
        token=concept.row.token,
        encounter_count=concept.row.encounters,
        saliency=concept.row.saliency,
        novelty=concept.row.novelty,
        dictionary=concept.row.dictionary,
        last_seen_time=to_time(concept.row.last_seen),
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
    message = conflict_pb2.Conflict(
        id=conflict.id,
        # Protobuf takes the name of an enum value; the core's members have the names of the API's.
        state=f"STATE_{conflict.state.name}",
        type=f"TYPE_{conflict.type.name}",
        incoming=to_triple(conflict.incoming),
        existing=to_edge(conflict.existing),
        incoming_confidence=conflict.confidence,
        incoming_source=f"SOURCE_{conflict.source.name}",
        incoming_principal=conflict.principal,
        # Votes are blind (I5), and a private statement is for those who decide.
        evidence=conflict.evidence if whole else _seen_by_all(conflict),
        priority=conflict.priority,
        statement_count=conflict.statements,
        create_time=to_time(conflict.created),
        etag=conflict.etag,
        attempts=conflict.attempts,
        last_error=conflict.last_error,
        # A pending conflict is for people once models may not, or could not, decide it.
        for_people=conflict.state is ConflictState.PENDING
        and not conflict.is_for_models,
        earlier_resolutions=map(_to_resolution, conflict.earlier),
    )
    # `CopyFrom` would make an absent part present and empty.
    if whole and conflict.existing_origin:
        message.existing_origin.CopyFrom(_to_origin(conflict.existing_origin))
    if whole and conflict.incoming_origin:
        message.incoming_origin.CopyFrom(_to_origin(conflict.incoming_origin))
    if conflict.decided:
        message.resolution.CopyFrom(_to_resolution(conflict.decided))
    return message


def _to_origin(origin: StatementOrigin) -> conflict_pb2.Conflict.Origin:
    return conflict_pb2.Conflict.Origin(
        quote=origin.quote,
        speaker=origin.speaker,
        project=origin.project,
        said_time=to_time(origin.said),
        value=origin.value,
    )


def _seen_by_all(conflict: Conflict) -> str:
    return "" if conflict.private else without_votes(conflict.evidence)


def _to_resolution(decided: DecisionRecord) -> conflict_pb2.Conflict.Resolution:
    return conflict_pb2.Conflict.Resolution(
        decision=f"DECISION_{decided.decision.name}",
        principal=decided.principal,
        reasoning=decided.reasoning,
        resolve_time=to_time(decided.resolved),
        undo_principal=decided.undone_by,
        undo_reasoning=decided.undone_because,
        undo_time=to_time(decided.undone),
    )


def to_event(event: Event, *, whole: bool = True) -> history_pb2.HistoryEvent:
    """Convert an event of a concept's history to a message.

    Args:
        whole: Whether to include the votes behind a conflicting statement.
    """
    # A confirmed candidate that collides keeps its votes as evidence (I2), which are blind (I5).
    with_votes = event.verdict is Verdict.CONFLICTED and not whole
    return history_pb2.HistoryEvent(
        event_time=to_time(event.when),
        kind=_KINDS[event.kind],
        triple=to_triple(event.triple),
        verdict=f"VERDICT_{event.verdict.name}" if event.verdict else None,
        reason=event.reason,
        text=without_votes(event.text) if with_votes else event.text,
        principal=event.principal,
        source=f"SOURCE_{event.source.name}" if event.source else None,
        confidence=event.confidence,
        assertion_id=event.assertion_id,
        conflict_id=event.conflict_id,
        candidate_id=event.candidate_id,
        closed_by=event.closed_by,
        valid_from_time=to_time(event.valid_from),
        decision=f"DECISION_{event.decision.name}" if event.decision else None,
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
    return candidate_pb2.Candidate(
        id=candidate.id,
        state=f"STATE_{candidate.state.upper()}",
        triple=to_triple(candidate.triple),
        confidence=candidate.confidence,
        source=f"SOURCE_{candidate.source.name}",
        rule=candidate.rule,
        reason=candidate.reason,
        proposer=candidate.proposer,
        author=candidate.author,
        evidence=candidate.evidence,
        statement_count=candidate.statements,
        create_time=to_time(candidate.created),
        decider=candidate.decider,
        decide_time=to_time(candidate.decided),
        cid=candidate.cid,
        external_id=candidate.external_id,
        predicate=candidate.predicate,
        subject_raw=candidate.subject_raw,
        object_raw=candidate.object_raw,
        message_cid=candidate.message_cid,
        chunk_id=candidate.chunk_id,
        extractor_version=candidate.extractor_version,
        prompt_hash=candidate.prompt_hash,
        model_version=candidate.model_version,
        justification=candidate.justification,
        priority=f"PRIORITY_{candidate.priority.name}",
        lane=f"LANE_{candidate.lane.name}",
        sensitive=candidate.sensitive,
        flagged=candidate.flagged,
        contradicts=candidate.contradicts,
        expire_time=to_time(candidate.expires),
        decision_rule=candidate.decision_rule,
        belief=candidate.belief,
        tally=to_tally(tally),
    )


def to_tally(tally: VoteTally | None) -> validation_pb2.Tally | None:
    """Convert the tally of the votes to a message; None for None."""
    if tally is None:
        return None
    return validation_pb2.Tally(
        confirmed=tally.confirmed,
        rejected=tally.rejected,
        abstained=tally.abstained,
        posterior=tally.posterior,
        counted_together=tally.together,
    )


def to_validation_event(
    event: ValidationEvent | None,
) -> validation_pb2.ValidationEvent | None:
    """Convert an answer to a message; None for None."""
    if event is None:
        return None
    return validation_pb2.ValidationEvent(
        cid=event.cid,
        candidate_id=event.candidate_id,
        candidate_cid=event.candidate_cid,
        responder=event.responder,
        role=f"ROLE_{event.role.name}",
        response=f"RESPONSE_{event.response.name}",
        before_visible=event.before_visible,
        note=event.note,
        bot_id=event.bot_id,
        context_message_cid=event.context_message_cid,
        question_id=event.question_id,
        prompt_hash=event.prompt_hash,
        model_version=event.model_version,
        message_cid=event.message_cid,
        create_time=to_time(event.created),
    )


def from_decision(decision: int) -> ConflictDecision:
    """Convert a conflict decision; raise `InvalidArgument` if it is unknown."""
    for known in ConflictDecision:
        name = f"DECISION_{known.name}"
        # DECISION_UNSPECIFIED is no member of the core's enum, so that it is refused as well.
        if conflict_pb2.Conflict.Decision.Value(name) == decision:
            return known
    names = ", ".join(f"DECISION_{known.name}" for known in ConflictDecision)
    raise InvalidArgument(f"decision must be one of {names}", field="decision")


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


def _states(
    number_of: Callable[[str], int], names: Mapping[str, _State]
) -> Callable[[Iterable[int]], list[_State]]:
    """Return a function that converts states, or raises `InvalidArgument`."""
    # STATE_UNSPECIFIED is no member, so that a filter by it is refused.
    by_number = {number_of(f"STATE_{name}"): it for name, it in names.items()}

    def convert(states: Iterable[int]) -> list[_State]:
        """Return the states of these numbers."""
        try:
            return [by_number[state] for state in states]
        except KeyError as error:
            raise InvalidArgument(
                f"states holds {error}, which is none", field="states"
            ) from None

    return convert


from_conflict_states = _states(
    conflict_pb2.Conflict.State.Value, ConflictState.__members__
)
from_candidate_states = _states(
    candidate_pb2.Candidate.State.Value, {it.upper(): it for it in CandidateState}
)
from_interaction_states = _states(
    extraction_service_pb2.Interaction.State.Value, InteractionState.__members__
)
from_question_states = _states(
    validation_pb2.Question.State.Value, QuestionState.__members__
)


class Repeatable(Protocol):
    """Request with an id: a retry is answered with the result of the first call."""

    request_id: str

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes:
        """Serialize the request."""


def request_key(request: Repeatable, caller: RpcCaller) -> RequestKey | None:
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
