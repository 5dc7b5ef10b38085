"""What the server answers, as lines for people and as values for JSON.

Whatever came from the server passes `clean` before it can reach a terminal.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Protocol

from gutask._api.concept_pb2 import Concept
from gutask._api.edge_pb2 import Edge
from gutask._api.memory_service_pb2 import AssertResponse
from gutask._api.outcome_pb2 import Outcome
from gutask._api.source_pb2 import Source
from gutask._api.triple_pb2 import Triple

# Controls become spaces; what is invisible or could reorder a line is dropped.
_BREAKING = frozenset({"Cc", "Zl", "Zp"})
_INVISIBLE = frozenset({"Cf", "Co", "Cs"})


class _Enum(Protocol):
    def Name(self, number: Any) -> str: ...


def clean(text: str) -> str:
    """Makes one line of a text, without characters that steer a terminal."""
    kept = []
    for character in text:
        category = unicodedata.category(character)
        if category in _BREAKING:
            kept.append(" ")
        elif category not in _INVISIBLE:
            kept.append(character)
    return " ".join("".join(kept).split())


def clean_lines(text: str) -> str:
    """Cleans a text that may have several lines, and indents all but the first."""
    return "\n  ".join(filter(None, map(clean, text.splitlines())))


def verdict_name(outcome: Outcome) -> str:
    """Names what became of a statement: `held`, `conflicted`, …"""
    return _name(Outcome.Verdict, outcome.verdict, prefix="VERDICT_")


def outcome_line(outcome: Outcome) -> str:
    """Says in a line what became of a statement."""
    triple, edge, message = outcome.triple, outcome.edge, clean(outcome.message)
    # A settled conflict may have led the statement to another dimension.
    placed = edge if outcome.HasField("edge") and not triple.negated else triple
    match outcome.verdict:
        case Outcome.VERDICT_HELD:
            return f"held: {_placing(placed)}"
        case Outcome.VERDICT_CORROBORATED:
            line = f"corroborated: {_placing(placed)}"
            if placed is edge:
                line += f" (confidence {edge.confidence:.2f})"
            return line
        case Outcome.VERDICT_CONFLICTED:
            return f"conflict #{outcome.conflict_id}: {_contradiction(outcome)}"
        case Outcome.VERDICT_CANDIDATE:
            number = outcome.factoid_id
            waits = "waits for a person to confirm it"
            return f"candidate #{number}: {_placing(triple)} {waits}"
        case Outcome.VERDICT_REJECTED:
            return f"rejected: {message or clean(outcome.reason)}"
        case _:
            return f"{verdict_name(outcome)}: {message or _placing(triple)}"


def outcome_json(response: AssertResponse) -> dict[str, Any]:
    """Gives the answer to a statement as a JSON object."""
    outcome = response.outcome
    triple = outcome.triple
    return {
        "verdict": verdict_name(outcome),
        "triple": {
            "concept": triple.concept,
            "parent": triple.parent,
            "dimension": _dimension(triple),
            "is_isa": triple.is_isa,
            "negated": triple.negated,
        },
        "edge": _edge_json(outcome.edge) if outcome.HasField("edge") else None,
        "conflict_id": outcome.conflict_id or None,
        "factoid_id": outcome.factoid_id or None,
        "assertion_id": outcome.assertion_id or None,
        "reason": outcome.reason,
        "message": outcome.message,
        "version": response.version,
    }


def concept_lines(concept: Concept) -> list[str]:
    """Gives a concept as its line of a recollection, and the details below it.

    Empty if no fact and no conflict is about it.
    """
    conflicts = ", ".join(f"#{number}" for number in concept.conflict_ids)
    placed = [
        f"[{clean(edge.dimension)}{'?' if edge.contested else ''}] {clean(edge.parent)}"
        for edge in concept.edges
    ]
    if any(edge.contested for edge in concept.edges) or (conflicts and not placed):
        placed.append("— conflict pending")
    if not placed:
        return []
    lines = [f"{clean(concept.token)}: {' '.join(placed)}"]
    lines += [f"  {_details(edge)}" for edge in concept.edges]
    if conflicts:
        lines.append(f"  conflicts: {conflicts}")
    return lines


def concept_json(concept: Concept) -> dict[str, Any]:
    """Gives a concept as a JSON object."""
    seen = concept.HasField("last_seen_time")
    return {
        "token": concept.token,
        "edges": [_edge_json(edge) for edge in concept.edges],
        "conflict_ids": list(concept.conflict_ids),
        "encounter_count": concept.encounter_count,
        "saliency": concept.saliency,
        "novelty": concept.novelty,
        "dictionary": concept.dictionary,
        "last_seen_time": concept.last_seen_time.ToJsonString() if seen else None,
    }


def _contradiction(outcome: Outcome) -> str:
    triple, edge = outcome.triple, outcome.edge
    if outcome.HasField("edge"):
        held = f"{_place(edge)} is held as {clean(edge.parent)}"
        return f"{held}; {_parent(triple)} is queued for a decision"
    # A cycle, or the denial of a denial: nothing is held in this dimension.
    line = f"{_placing(triple)} is queued for a decision"
    message = clean(outcome.message)
    return f"{line}: {message}" if message else line


def _details(edge: Edge) -> str:
    parts = [
        f"[{clean(edge.dimension)}] {_relation(edge)} {clean(edge.parent)}",
        f"confidence {edge.confidence:.2f}",
        f"source {_source(edge)}",
    ]
    if edge.HasField("last_confirm_time"):
        parts.append(f"confirmed {edge.last_confirm_time.ToJsonString()[:10]}")
    return ", ".join(parts)


def _edge_json(edge: Edge) -> dict[str, Any]:
    confirmed = edge.HasField("last_confirm_time")
    return {
        "concept": edge.concept,
        "parent": edge.parent,
        "dimension": edge.dimension,
        "is_isa": edge.is_isa,
        "confidence": edge.confidence,
        "source": _source(edge),
        "last_confirm_time": (
            edge.last_confirm_time.ToJsonString() if confirmed else None
        ),
        "contested": edge.contested,
        "assertion_id": edge.assertion_id or None,
    }


def _placing(statement: Triple | Edge) -> str:
    return f"{_place(statement)} {_parent(statement)}"


def _place(statement: Triple | Edge) -> str:
    return f"{clean(statement.concept)} [{clean(_dimension(statement))}]"


def _parent(statement: Triple | Edge) -> str:
    parent = clean(statement.parent)
    negated = isinstance(statement, Triple) and statement.negated
    return f"not {parent}" if negated else parent


def _dimension(statement: Triple | Edge) -> str:
    return statement.dimension or ("type" if statement.is_isa else "membership")


def _relation(edge: Edge) -> str:
    return "isa" if edge.is_isa else "ispart"


def _source(edge: Edge) -> str:
    return _name(Source, edge.source, prefix="SOURCE_")


def _name(enum: _Enum, number: int, *, prefix: str) -> str:
    """Names an enum's value; newer servers may send numbers without a name here."""
    try:
        return enum.Name(number).removeprefix(prefix).lower()
    except ValueError:
        return f"unknown_{number}"
