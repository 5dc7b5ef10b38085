"""Conversion of database rows to core values."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import asyncpg

from festinger import _fast
from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import Retraction
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.history import Event, EventKind, HistoryMark
from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.graph.outcome import CollisionType, Fact, Outcome, Verdict
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.graph.resolution import (
    Conflict,
    ConflictDecision,
    ConflictState,
    DecisionRecord,
)
from festinger.core.graph.tombstones import SettledBy, Tombstone
from festinger.core.world.publishing import ConceptRow
from festinger.store.system.queries import Row, value_of

MODALITIES = ("asserted", "belief")  # by code, from 1 on


def to_time(seconds: float) -> datetime:
    """Convert seconds since the epoch to a datetime, clamped to the maximum."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    # Such as infinity, for a time that never comes.
    except (OverflowError, ValueError):
        return datetime.max.replace(tzinfo=UTC)


def to_seconds(time: datetime | None) -> float:
    """Convert a datetime to seconds since the epoch; None to 0.0."""
    return time.timestamp() if time else 0.0


def seconds_or_none(time: datetime | None) -> float | None:
    """Convert a datetime to seconds since the epoch, if there is one."""
    return time.timestamp() if time else None


def time_or_none(seconds: float | None) -> datetime | None:
    """Convert seconds since the epoch to a datetime, if there are any."""
    return None if seconds is None else to_time(seconds)


def to_edge(row: Row) -> _fast.Edge:
    """Convert a row to an edge of the graph."""
    return _fast.Edge(
        row["id"],
        row["parent_id"],
        row["dim_id"],
        row["is_isa"],
        row["confidence"],
        row["last_confirmed"],
        StatementSource(row["source"]).code,
        MODALITIES.index(row["modality"]) + 1,
        row["assertion_id"],
        row["slot"] != 0,  # 0 where a concept has one value (J4)
    )


def to_clash(row: Row) -> Clash:
    """Convert a row to the key of a pending conflict."""
    return Clash(
        row["concept_id"],
        # The refused statement: its dimension, parent and polarity make it one item (C5a).
        row["dim_id"],
        row["incoming_parent_id"],
        row["incoming_negated"],
    )


def to_denial(row: Row) -> tuple[int, int, int]:
    """Convert a row to the key of a denial."""
    return row["id"], row["parent_id"], row["dim_id"]


def to_key(row: Row) -> Clash:
    """Convert a row to the key of a tombstone or a redirect."""
    # Other names and another order of the same columns as in `to_clash`.
    return Clash(row["id"], row["dim_id"], row["parent_id"], row["negated"])


def to_tombstone(row: Row) -> Tombstone:
    """Convert a row to the tombstone of a statement."""
    return Tombstone(SettledBy(row["ending"]), row["conflict_id"])


def to_name(row: Row) -> ConceptRow:
    """Convert a row to a concept's name and flags."""
    return ConceptRow(row["id"], row["token"], row["novelty"], row["is_dictionary"])


def to_triple(row: asyncpg.Record) -> Triple:
    """Convert a row of the ledger, or of a candidate, to its statement."""
    return Triple(
        row["concept"], row["parent"], row["dimension"], row["is_isa"], row["negated"]
    )


def fact_json(fact: Fact | None) -> str | None:
    """Serialise the fact that was held when a statement was judged, for the ledger."""
    if fact is None:
        return None
    # As it was at that time, since the edge may change and end.
    return json.dumps(
        {
            "parent": fact.parent,
            "is_isa": fact.is_isa,
            "confidence": fact.confidence,
            "last_confirmed": fact.last_confirmed,
            "source": fact.source,
            "assertion_id": fact.assertion_id,
            "contested": fact.contested,
            "belief": fact.belief,
        }
    )


def to_outcome(row: asyncpg.Record) -> Outcome:
    """Convert a row of the ledger to the outcome of a statement."""
    triple, fact = to_triple(row), _fact_of(row)
    verdict = Verdict(row["outcome"])
    # Only a conflict's reason is the kind of its collision.
    conflicted = verdict is Verdict.CONFLICTED
    return Outcome(
        verdict,
        triple,
        fact,
        collision=CollisionType(row["reason"]) if conflicted else None,
        reason=row["reason"],
        message=row["message"],
        conflict_id=row["conflict_id"] or 0,
        candidate_id=row["candidate_id"] or 0,
        assertion_id=row["id"],
    )


def to_retraction(row: asyncpg.Record) -> Retraction:
    """Convert a row of the ledger to a retraction."""
    return value_of(
        Retraction, row, triple=to_triple(row), fact=_fact_of(row), why=row["sentence"]
    )


def to_fact(row: asyncpg.Record) -> Fact:
    """Convert a row with names to a fact."""
    return Fact(
        row["concept"],
        row["parent"],
        row["dimension"],
        row["is_isa"],
        row["confidence"],
        row["last_confirmed"],
        StatementSource(row["source"]),
        row["assertion_id"] or 0,
        belief=row["belief"],
    )


def to_event(row: asyncpg.Record) -> Event:
    """Convert a row to an event of a concept's history."""
    kind = EventKind(row["kind"])
    return value_of(
        Event,
        row,
        mark=HistoryMark(row["microseconds"], row["kind"], row["number"]),
        kind=kind,
        triple=to_triple(row),
        # Only statements have an outcome; endings and decisions have none.
        verdict=Verdict(row["outcome"]) if kind is EventKind.STATED else None,
        source=StatementSource(row["source"]) if row["source"] else None,
        decision=ConflictDecision(row["decision"]) if row["decision"] else None,
    )


def _fact_of(row: asyncpg.Record) -> Fact | None:
    """Return the fact that was held when a statement was judged, or None."""
    if not row["fact"]:
        return None
    held: dict[str, Any] = json.loads(row["fact"])
    # JSON has the source as text; all other parts have their types.
    held["source"] = StatementSource(held["source"])
    return Fact(concept=row["concept"], dimension=row["dimension"], **held)


def to_conflict(row: asyncpg.Record) -> Conflict:
    """Convert a row to a conflict, with the edge it collides with, held or closed."""
    # Nothing is held where the edge was retracted while the conflict waited.
    held = row["held_parent"] is not None
    decided: dict[str, str] = json.loads(row["resolution"] or "{}")
    state = ConflictState(row["status"])
    return value_of(
        Conflict,
        row,
        state=state,
        type=CollisionType(row["collision_type"]),
        incoming=Triple(
            row["concept"],
            row["incoming_parent"],
            row["dimension"],
            row["incoming_is_isa"],
            row["incoming_negated"],
        ),
        existing=Fact(
            row["concept"],
            row["held_parent"],
            row["dimension"],
            row["held_is_isa"],
            row["held_confidence"],
            to_seconds(row["held_last_confirmed"]),
            StatementSource(row["held_source"]),
            row["held_assertion_id"] or 0,
            # A pending conflict makes the edge that it collides with doubtful.
            contested=state is ConflictState.PENDING,
            belief=row["held_modality"] == MODALITIES[1],
        )
        if held
        else None,
        confidence=row["incoming_confidence"],
        source=StatementSource(row["incoming_source"]),
        principal=row["incoming_principal"],
        subject=row["incoming_subject"],
        evidence=row["sentence"],
        assertion_id=row["incoming_assertion_id"],
        decided=_to_decided(decided, row["resolved_at"]) if decided else None,
        existing_origin=_to_origin(row, "held_"),
        incoming_origin=_to_origin(row, "incoming_"),
        # Decisions that were undone or superseded, as JSON in the same row.
        earlier=tuple(
            _to_decided(
                each,
                _to_moment(each["resolved_at"]),
                # A repeated statement does not undo a decision, it only supersedes it.
                _to_moment(each["reopened_at"]) if "undone_by" in each else None,
            )
            for each in json.loads(row["earlier"])
        ),
    )


def _to_origin(row: asyncpg.Record, prefix: str) -> StatementOrigin | None:
    """Return the origin of a side of a conflict; None if it was stated directly."""
    # Stated outright: there are no words that it was read from.
    if row[f"{prefix}quote"] is None:
        return None
    return StatementOrigin(
        # What a conflict does not show is not selected: principal, session and turn.
        quote=row[f"{prefix}quote"],
        speaker=row[f"{prefix}speaker"],
        principal=row[f"{prefix}speaker"],
        project=row[f"{prefix}project"],
        session="",
        said=to_seconds(row[f"{prefix}said_at"]),
        turn_digest=b"",
        reader=StatementReader(row[f"{prefix}reader"]),
        value=row[f"{prefix}value"] or "",
    )


def _to_decided(
    decided: dict[str, str], resolved: datetime | None, undone: datetime | None = None
) -> DecisionRecord:
    return DecisionRecord(
        ConflictDecision(decided["decision"]),
        decided["principal"],
        decided["reasoning"],
        to_seconds(resolved),
        decided.get("undone_by", ""),  # absent if not undone
        decided.get("undone_because", ""),
        seconds_or_none(undone),
    )


def _to_moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def to_candidate(row: asyncpg.Record) -> Candidate:
    """Convert a row to a candidate."""
    return value_of(
        Candidate,
        row,
        state=CandidateState(row["status"]),
        triple=to_triple(row),
        evidence=row["sentence"],
        decider=row["decided_by"] or "",
    )
