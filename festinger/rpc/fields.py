"""The fields of messages, for where a message is made within another.

A message that is made by itself is copied when it is put into another one; fields are
filled in at their place. What every prompt's answer holds is made so.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeAlias

from festinger.api.v1 import memory_service_pb2, outcome_pb2, source_pb2
from festinger.core.outcome import Fact, Outcome, Verdict
from festinger.core.preferences import Position
from festinger.core.proposal import Source, Triple
from festinger.core.recollection import Kind, Line, render
from festinger.core.retelling import Change
from festinger.flows.recollect import Recollection

Fields: TypeAlias = dict[str, Any]
"""The fields of a message by their names."""

# Numbers: a name would be looked up each time.
_VERDICTS = {
    verdict: outcome_pb2.Outcome.Verdict.Value(f"VERDICT_{verdict.name}")
    for verdict in Verdict
}
_SOURCES = {
    source: source_pb2.Source.Value(f"SOURCE_{source.name}") for source in Source
}
_KINDS = {
    kind: memory_service_pb2.RecollectResponse.Line.Kind.Value(f"KIND_{kind.name}")
    for kind in Kind
}
_POSITIONS = {
    position: memory_service_pb2.RecollectResponse.Position.Value(
        f"POSITION_{position.name}"
    )
    for position in Position
}


def of_recollection(recollection: Recollection, *, stale: bool) -> Fields:
    """What a prompt is given."""
    return {
        "lines": [_of_line(line) for line in recollection.lines],
        "block": render(recollection.lines),
        "position": _POSITIONS[recollection.position],
        "outcomes": [of_outcome(outcome) for outcome in recollection.outcomes],
        "version": recollection.version,
        "stale": stale,
        "changes": [_of_change(change) for change in recollection.changes],
    }


def of_outcome(outcome: Outcome) -> Fields:
    """What became of a statement."""
    return {
        "verdict": _VERDICTS[outcome.verdict],
        "triple": of_triple(outcome.triple),
        "edge": of_edge(outcome.fact),
        "conflict_id": outcome.conflict_id,
        "factoid_id": outcome.factoid_id,
        "reason": outcome.reason,
        "message": outcome.message,
        "assertion_id": outcome.assertion_id,
    }


def of_triple(triple: Triple) -> Fields:
    """A statement."""
    return {
        "concept": triple.concept,
        "parent": triple.parent,
        "dimension": triple.dimension,
        "is_isa": triple.is_isa,
        "negated": triple.negated,
    }


def of_edge(fact: Fact | None) -> Fields | None:
    """A fact."""
    if fact is None:
        return None
    return {
        "concept": fact.concept,
        "parent": fact.parent,
        "dimension": fact.dimension,
        "is_isa": fact.is_isa,
        "confidence": fact.confidence,
        "last_confirm_time": of_time(fact.last_confirmed),
        "source": _SOURCES[fact.source],
        "assertion_id": fact.assertion_id,
        "contested": fact.contested,
    }


def of_time(seconds: float | None) -> Fields | None:
    """A moment; None for none, for never and for always."""
    if not seconds or not isfinite(seconds):
        return None
    whole, micros = divmod(round(seconds * 1e6), 1_000_000)
    return {"seconds": whole, "nanos": micros * 1000}


def _of_line(line: Line) -> Fields:
    concept, text, kind, why = line
    return {
        "concept": concept,
        "text": text,
        "digest": line.digest,
        "kind": _KINDS[kind],
        "why": why,
    }


def _of_change(change: Change) -> Fields:
    line = change.line
    return {"told_index": change.index, "line": line and _of_line(line)}
