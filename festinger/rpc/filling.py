"""Core values put into messages, field by field and at their place.

A message that is made by itself is copied when it is put into another one, and made of
keywords it takes half as long again.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import (
    edge_pb2,
    outcome_pb2,
    source_pb2,
    triple_pb2,
)
from festinger.core.graph.outcome import Fact, Outcome, Verdict
from festinger.core.graph.proposal import StatementSource, Triple

# Numbers: a name would be looked up each time.
_VERDICTS: dict[Verdict, Any] = {
    verdict: outcome_pb2.Outcome.Verdict.Value(f"VERDICT_{verdict.name}")
    for verdict in Verdict
}
_SOURCES: dict[StatementSource, Any] = {
    source: source_pb2.Source.Value(f"SOURCE_{source.name}")
    for source in StatementSource
}


def fill_outcome(message: outcome_pb2.Outcome, outcome: Outcome) -> None:
    """What became of a statement."""
    message.verdict = _VERDICTS[outcome.verdict]
    fill_triple(message.triple, outcome.triple)
    if outcome.fact is not None:
        fill_edge(message.edge, outcome.fact)
    message.conflict_id = outcome.conflict_id
    message.factoid_id = outcome.factoid_id
    message.reason = outcome.reason
    message.message = outcome.message
    message.assertion_id = outcome.assertion_id


def fill_triple(message: triple_pb2.Triple, triple: Triple) -> None:
    """A statement."""
    message.concept = triple.concept
    message.parent = triple.parent
    message.dimension = triple.dimension
    message.is_isa = triple.is_isa
    message.negated = triple.negated


def fill_edge(message: edge_pb2.Edge, fact: Fact) -> None:
    """A fact."""
    message.concept = fact.concept
    message.parent = fact.parent
    message.dimension = fact.dimension
    message.is_isa = fact.is_isa
    message.confidence = fact.confidence
    message.source = _SOURCES[fact.source]
    message.assertion_id = fact.assertion_id
    message.contested = fact.contested
    message.belief = fact.belief
    if is_moment(fact.last_confirmed):
        fill_time(message.last_confirm_time, fact.last_confirmed)


def is_moment(seconds: float) -> bool:
    """Whether it is a time, and neither never nor always."""
    return seconds != 0 and isfinite(seconds)


def fill_time(message: Timestamp, seconds: float) -> None:
    """A moment, in microseconds."""
    whole, micros = in_micros(seconds)
    message.seconds = whole
    message.nanos = micros * 1000


def in_micros(seconds: float) -> tuple[int, int]:
    """Whole seconds, and the microseconds beyond."""
    return divmod(round(seconds * 1e6), 1_000_000)
