"""Answers of the server, as lines for people and as values for JSON."""

from __future__ import annotations

from typing import Any

from gutask._api.concept_pb2 import Concept
from gutask._api.concept_service_pb2 import GetConceptResponse
from gutask._api.edge_pb2 import Edge
from gutask._api.line_service_pb2 import SayResponse
from gutask._api.memory_service_pb2 import AssertResponse, RetractResponse
from gutask._api.outcome_pb2 import Outcome
from gutask.wording import (
    clean,
    name_of,
    parent,
    place,
    placing,
    relation,
    source_name,
    triple_json,
)


def verdict_name(verdict: Outcome.Verdict) -> str:
    """Return the word for what became of a statement: `held`, `conflicted`, …"""
    return name_of(Outcome.Verdict, verdict, prefix="VERDICT_")


def outcome_line(outcome: Outcome) -> str:
    """Return a line that says what became of a statement."""
    triple, edge, message = outcome.triple, outcome.edge, clean(outcome.message)
    # A settled conflict may have led the statement to another dimension.
    placed = edge if outcome.HasField("edge") and not triple.negated else triple
    match outcome.verdict:
        case Outcome.VERDICT_HELD:
            return f"held: {placing(placed)}"
        case Outcome.VERDICT_CORROBORATED:
            line = f"corroborated: {placing(placed)}"
            # A denial that is repeated has no edge, and so no confidence.
            if placed is edge:
                line += f" (confidence {edge.confidence:.2f})"
            return line
        case Outcome.VERDICT_CONFLICTED:
            return f"conflict #{outcome.conflict_id}: {_contradiction(outcome)}"
        case Outcome.VERDICT_CANDIDATE:
            number = outcome.candidate_id
            waits = "waits for a person to confirm it"
            return f"candidate #{number}: {placing(triple)} {waits}"
        case Outcome.VERDICT_REJECTED:
            return f"rejected: {message or clean(outcome.reason)}"
        case _:  # a verdict of a newer server
            return f"{verdict_name(outcome.verdict)}: {message or placing(triple)}"


def outcome_json(response: AssertResponse) -> dict[str, Any]:
    """Return the answer to a statement as a JSON object."""
    outcome = response.outcome
    return {
        "verdict": verdict_name(outcome.verdict),
        "triple": triple_json(outcome.triple),
        "edge": _edge_json(outcome.edge) if outcome.HasField("edge") else None,
        # Numbers begin with 1: protobuf's 0 is none.
        "conflict_id": outcome.conflict_id or None,
        "candidate_id": outcome.candidate_id or None,
        "assertion_id": outcome.assertion_id or None,
        "reason": outcome.reason,
        "message": outcome.message,
        "version": response.version,
    }


def understood_lines(response: SayResponse) -> list[str]:
    """Return how plain words were understood, and what was not kept, as lines."""
    # Facts first, as these may need something to be done.
    return [
        *map(outcome_line, response.outcomes),
        *(f"kept as said: {clean(line.quote)}" for line in response.lines),
        *(
            f"not kept: {clean(left.text)} ({clean(left.reason)})"
            for left in response.left_out
        ),
    ]


def understood_json(response: SayResponse) -> dict[str, Any]:
    """Return the answer to plain words as a JSON object."""
    return {
        "outcomes": [
            {
                "verdict": verdict_name(each.verdict),
                "triple": triple_json(each.triple),
                "conflict_id": each.conflict_id or None,
                "candidate_id": each.candidate_id or None,
                "reason": each.reason,
                "message": each.message,
            }
            for each in response.outcomes
        ],
        "kept": [{"name": it.name, "text": it.quote} for it in response.lines],
        "not_kept": [
            {"text": it.text, "reason": it.reason} for it in response.left_out
        ],
        "version": response.version,
    }


def forgotten_lines(response: RetractResponse) -> list[str]:
    """Return what was forgotten, and what had waited for it, as lines."""
    lines = [f"forgotten: {placing(response.triple)}"]
    if numbers := [f"#{number}" for number in response.settled_conflict_ids]:
        one = len(numbers) == 1
        # Statements that only the forgotten fact kept waiting.
        what = "statement of conflict" if one else "statements of conflicts"
        lines.append(f"  held in its place: the {what} {', '.join(numbers)}")
    return lines


def forgotten_json(response: RetractResponse) -> dict[str, Any]:
    """Return the answer to a retraction as a JSON object."""
    return {
        "triple": triple_json(response.triple),
        "edge": _edge_json(response.edge) if response.HasField("edge") else None,
        "settled_conflict_ids": list(response.settled_conflict_ids),
        "assertion_id": response.assertion_id or None,
        "version": response.version,
    }


def concept_lines(concept: Concept) -> list[str]:
    """Return a concept as its line of a recollection, with details; [] for nothing."""
    conflicts = ", ".join(f"#{number}" for number in concept.conflict_ids)
    placed = [
        f"[{clean(edge.dimension)}{_mark(edge)}] {clean(edge.parent)}"
        for edge in concept.edges
    ]
    # As in a block (D2): after the facts, and also if a conflict is all that there is.
    if any(edge.contested for edge in concept.edges) or (conflicts and not placed):
        placed.append("— conflict pending")
    placed += [
        f"[{clean(denial.dimension)}] {parent(denial)}" for denial in concept.denials
    ]
    if not placed:
        return []
    lines = [f"{clean(concept.token)}: {' '.join(placed)}"]
    lines += [f"  {_details(edge)}" for edge in concept.edges]
    lines += [f"  {relation(denial)}" for denial in concept.denials]
    if conflicts:
        lines.append(f"  conflicts: {conflicts}")
    return lines


def concept_json(response: GetConceptResponse) -> dict[str, Any]:
    """Return a concept as a JSON object."""
    concept = response.concept
    seen = concept.HasField("last_seen_time")
    return {
        "token": concept.token,
        "edges": [_edge_json(edge) for edge in concept.edges],
        "denials": [triple_json(denial) for denial in concept.denials],
        "conflict_ids": list(concept.conflict_ids),
        "encounter_count": concept.encounter_count,
        "saliency": concept.saliency,
        "novelty": concept.novelty,
        "dictionary": concept.dictionary,
        "last_seen_time": concept.last_seen_time.ToJsonString() if seen else None,
        "version": response.version,
        "stale": response.stale,
    }


def _contradiction(outcome: Outcome) -> str:
    triple, edge = outcome.triple, outcome.edge
    if outcome.HasField("edge"):
        held = f"{place(edge)} is held as {clean(edge.parent)}"
        return f"{held}; {parent(triple)} is queued for a decision"
    # A cycle, or the denial of a denial: nothing is held in this dimension.
    line = f"{placing(triple)} is queued for a decision"
    message = clean(outcome.message)
    return f"{line}: {message}" if message else line


def _mark(edge: Edge) -> str:
    """Return the mark of a dimension, as a recollection has it."""
    if edge.contested:
        return "?"
    return "~" if edge.belief else ""


def _details(edge: Edge) -> str:
    parts = [
        relation(edge),
        f"confidence {edge.confidence:.2f}",
        f"source {source_name(edge.source)}",
    ]
    if edge.belief:
        parts.append("a belief that others deny")
    if edge.HasField("last_confirm_time"):
        # The day is enough for people; --json has the time.
        parts.append(f"confirmed {edge.last_confirm_time.ToJsonString()[:10]}")
    return ", ".join(parts)


def _edge_json(edge: Edge) -> dict[str, Any]:
    confirmed = edge.HasField("last_confirm_time")
    # Absent numbers and times are null in JSON, so that every member is always there.
    return {
        "concept": edge.concept,
        "parent": edge.parent,
        "dimension": edge.dimension,
        "is_isa": edge.is_isa,
        "confidence": edge.confidence,
        "source": source_name(edge.source),
        "last_confirm_time": (
            edge.last_confirm_time.ToJsonString() if confirmed else None
        ),
        "contested": edge.contested,
        "belief": edge.belief,
        "assertion_id": edge.assertion_id or None,
    }
