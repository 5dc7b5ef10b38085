"""Functions that fill protobuf messages in place from core values."""

from __future__ import annotations

from math import isfinite
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import edge_pb2, outcome_pb2, source_pb2, triple_pb2
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.graph.outcome import Fact, Outcome, Verdict
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.recollection.concepts import Kind, Line, render
from festinger.core.system.preferences import Position
from festinger.services.recollection.recollect import Recollection

# Enum numbers, since a name would be looked up each time.
_VERDICTS: dict[Verdict, Any] = {
    verdict: outcome_pb2.Outcome.Verdict.Value(f"VERDICT_{verdict.name}")
    for verdict in Verdict
}
_SOURCES: dict[StatementSource, Any] = {
    source: source_pb2.Source.Value(f"SOURCE_{source.name}")
    for source in StatementSource
}
_POSITIONS: dict[Position, Any] = {
    position: pb.RecollectResponse.Position.Value(f"POSITION_{position.name}")
    for position in Position
}
_KINDS: dict[Kind, Any] = {
    kind: pb.RecollectResponse.Line.Kind.Value(f"KIND_{kind.name}") for kind in Kind
}


# In place: a message that is built apart is copied when it is put into another one,
# and building it from keyword arguments takes half as long again.
def fill_response(
    message: pb.RecollectResponse, recollection: Recollection, stale: bool
) -> None:
    """Fill a message with a recollection."""
    for line in recollection.lines:
        fill_line(message.lines.add(), line)  # `add` makes the line where it stays
    message.block = render(recollection.lines)
    message.position = _POSITIONS[recollection.position]
    for outcome in recollection.outcomes:
        fill_outcome(message.outcomes.add(), outcome)
    message.version = recollection.version
    message.stale = stale
    for each in recollection.changes:
        # The index counts the lines that the request says it was told.
        change = message.changes.add(told_index=each.index)
        if each.line is not None:  # without one the told line no longer holds
            fill_line(change.line, each.line)


def fill_line(message: pb.RecollectResponse.Line, line: Line) -> None:
    """Fill a message with a line of the block."""
    message.concept = line.concept
    message.text = line.text
    message.digest = line.digest
    message.kind = _KINDS[line.kind]
    message.why = line.why


def fill_outcome(message: outcome_pb2.Outcome, outcome: Outcome) -> None:
    """Fill a message with the outcome of a statement."""
    message.verdict = _VERDICTS[outcome.verdict]
    fill_triple(message.triple, outcome.triple)
    if outcome.fact is not None:
        fill_edge(message.edge, outcome.fact)
    message.conflict_id = outcome.conflict_id
    message.candidate_id = outcome.candidate_id
    message.reason = outcome.reason
    message.message = outcome.message
    message.assertion_id = outcome.assertion_id


def fill_triple(message: triple_pb2.Triple, triple: Triple) -> None:
    """Fill a message with a statement."""
    message.concept = triple.concept
    message.parent = triple.parent
    message.dimension = triple.dimension
    message.is_isa = triple.is_isa
    message.negated = triple.negated


def fill_edge(message: edge_pb2.Edge, fact: Fact) -> None:
    """Fill a message with a fact."""
    message.concept = fact.concept
    message.parent = fact.parent
    message.dimension = fact.dimension
    message.is_isa = fact.is_isa
    message.confidence = fact.confidence
    message.source = _SOURCES[fact.source]
    message.assertion_id = fact.assertion_id
    message.contested = fact.contested
    message.belief = fact.belief
    # An unset time reads as "never"; 0 would be read as 1970.
    if is_moment(fact.last_confirmed):
        fill_time(message.last_confirm_time, fact.last_confirmed)


def is_moment(seconds: float) -> bool:
    """Return whether a time is neither 0 (never) nor infinite (always)."""
    return seconds != 0 and isfinite(seconds)


def fill_time(message: Timestamp, seconds: float) -> None:
    """Fill a timestamp from epoch seconds, rounded to microseconds."""
    # Rounded, since a float's microseconds end in noise such as .9999998.
    whole, micros = in_micros(seconds)
    message.seconds = whole
    message.nanos = micros * 1000  # Postgres keeps no more than microseconds


def in_micros(seconds: float) -> tuple[int, int]:
    """Split seconds into whole seconds and the remaining microseconds."""
    # `divmod` rounds down: protobuf wants nanoseconds positive, also before 1970.
    return divmod(round(seconds * 1e6), 1_000_000)
