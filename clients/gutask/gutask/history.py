"""History of a concept, as lines for people and as values for JSON."""

from __future__ import annotations

from typing import Any

from gutask._api.conflict_pb2 import Conflict
from gutask._api.history_pb2 import HistoryEvent
from gutask._api.outcome_pb2 import Outcome
from gutask._api.source_pb2 import SOURCE_UNSPECIFIED
from gutask.moments import local
from gutask.render import verdict_name
from gutask.wording import clean, name_of, relation, source_name, triple_json

# Of the words behind an event; --json has them whole.
WORDS_CHARACTERS_MAX = 72
# `corroborated` is the longest that is common.
_HEAD_WIDTH = 12


def event_line(event: HistoryEvent) -> str:
    """Return an event as a line: when it happened, to which statement, and by whom."""
    parts = [relation(event.triple)]
    # The number of the conflict, in front, leads to more than a reason does.
    if event.reason and event.verdict != Outcome.VERDICT_CONFLICTED:
        parts.append(clean(event.reason))
    # Settled before: the conflict says by whom and why.
    if event.verdict == Outcome.VERDICT_REJECTED and event.conflict_id:
        parts.append(f"conflict #{event.conflict_id}")
    if who := _by(event):
        parts.append(who)
    if words := clean(event.text):
        parts.append(f"“{_shortened(words)}”")
    when = local(event.event_time.ToDatetime())
    return f"{when}  {_head(event):<{_HEAD_WIDTH}}  {', '.join(parts)}"


def event_json(event: HistoryEvent) -> dict[str, Any]:
    """Return an event as a JSON object."""
    return {
        "event_time": event.event_time.ToJsonString(),
        "kind": _kind_name(event),
        "triple": triple_json(event.triple),
        "verdict": verdict_name(event.verdict) if event.verdict else None,
        "reason": event.reason,
        "text": event.text,
        "principal": event.principal,
        "source": source_name(event.source) if event.source else None,
        "confidence": event.confidence,
        "assertion_id": event.assertion_id or None,
        "conflict_id": event.conflict_id or None,
        "candidate_id": event.candidate_id or None,
        "closed_by": event.closed_by,
        "valid_from_time": (
            event.valid_from_time.ToJsonString()
            if event.HasField("valid_from_time")
            else None
        ),
        "decision": _decision_name(event) if event.decision else None,
    }


def _head(event: HistoryEvent) -> str:
    # A number leads to the conflict or candidate; the kind of event is enough otherwise.
    match event.kind, event.verdict:
        case HistoryEvent.KIND_STATED, Outcome.VERDICT_CONFLICTED:
            return f"conflict #{event.conflict_id}"
        case HistoryEvent.KIND_STATED, Outcome.VERDICT_CANDIDATE:
            return f"candidate #{event.candidate_id}"
        case HistoryEvent.KIND_STATED, verdict:
            return verdict_name(verdict)
        case HistoryEvent.KIND_RULED, _:
            return f"candidate #{event.candidate_id}"
        case HistoryEvent.KIND_SETTLED, _:
            return f"settled #{event.conflict_id}"
        case _:
            return _kind_name(event)


def _by(event: HistoryEvent) -> str:
    # An ended fact was closed by a decision, a statement was made by a principal.
    who = clean(event.closed_by or event.principal)
    if not who:
        return ""
    by = f"by {who}"
    if event.decision:
        by = f"{_decision_name(event)} {by}"
    elif event.principal and event.source != SOURCE_UNSPECIFIED:
        by += f" ({source_name(event.source)})"
    return by


def _shortened(words: str) -> str:
    if len(words) <= WORDS_CHARACTERS_MAX:
        return words
    return words[: WORDS_CHARACTERS_MAX - 1].rstrip() + "…"


def _kind_name(event: HistoryEvent) -> str:
    return name_of(HistoryEvent.Kind, event.kind, prefix="KIND_")


def _decision_name(event: HistoryEvent) -> str:
    return name_of(Conflict.Decision, event.decision, prefix="DECISION_")
