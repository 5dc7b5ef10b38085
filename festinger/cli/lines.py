"""Conflicts and candidates as lines for people."""

from __future__ import annotations

from festinger.api.v1 import conflict_pb2, factoid_pb2, outcome_pb2, triple_pb2


def statement(triple: triple_pb2.Triple) -> str:
    """What was stated: `gnommoweb: [type] not repo`."""
    return f"{triple.concept}: [{triple.dimension}] {_parent(triple)}"


def conflict_line(conflict: conflict_pb2.Conflict) -> str:
    """A contradiction, the words it stood in, and what was decided."""
    state = conflict_pb2.Conflict.State.Name(conflict.state).removeprefix("STATE_")
    kind = conflict_pb2.Conflict.Type.Name(conflict.type).removeprefix("TYPE_")
    held = conflict.existing.parent or "nothing"
    incoming = conflict.incoming
    both = (
        f"held {held}, refused {_parent(incoming)}"
        if conflict.state == conflict_pb2.Conflict.STATE_PENDING
        else f"held {held} now; in question was {_parent(incoming)}"
    )
    lines = [
        f"#{conflict.id} {state.lower()}  {incoming.concept} [{incoming.dimension}]: "
        f"{both}  ({kind.lower()}, by {conflict.incoming_principal}"
        f"{_times(conflict.statement_count)})"
    ]
    if conflict.evidence:
        lines.append(f"    “{conflict.evidence}”")
    if conflict.HasField("resolution"):
        lines.append(f"    {_resolution(conflict.resolution)}")
    return "\n".join(lines)


def factoid_line(factoid: factoid_pb2.Factoid) -> str:
    """A candidate, and the words it stood in."""
    state = factoid_pb2.Factoid.State.Name(factoid.state).removeprefix("STATE_")
    line = (
        f"#{factoid.id} {state.lower()}  {statement(factoid.triple)}  "
        f"({factoid.reason}, confidence {factoid.confidence:.2f}, by {factoid.author}"
        f"{_times(factoid.statement_count)})"
    )
    return f"{line}\n    “{factoid.evidence}”" if factoid.evidence else line


def confirmed_line(number: int, outcome: outcome_pb2.Outcome) -> str:
    """What became of a candidate that was confirmed."""
    verdict = outcome_pb2.Outcome.Verdict.Name(outcome.verdict)
    word = verdict.removeprefix("VERDICT_").lower()
    queued = f" as conflict #{outcome.conflict_id}" if outcome.conflict_id else ""
    return f"confirmed #{number}: {statement(outcome.triple)} — {word}{queued}"


def _resolution(resolution: conflict_pb2.Conflict.Resolution) -> str:
    decision = conflict_pb2.Conflict.Decision.Name(resolution.decision)
    word = decision.removeprefix("DECISION_").lower()
    because = f": {resolution.reasoning}" if resolution.reasoning else ""
    return f"{word}, decided by {resolution.principal}{because}"


def _parent(triple: triple_pb2.Triple) -> str:
    return f"not {triple.parent}" if triple.negated else triple.parent


def _times(statements: int) -> str:
    return f", {statements} times" if statements > 1 else ""
