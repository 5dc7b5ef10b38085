"""Log of the decisions about the extractions of a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from festinger.core.memories.decision import ExtractionDecision, Reason
from festinger.core.memories.lines import LABELS
from festinger.core.memories.types import CONVERSATION_TYPES, MemoryType
from festinger.core.system.excerpt import printable

_UNSEEN = frozenset([Reason.DUPLICATE])
"""Reasons whose extractions get no validation line."""


def log(decisions: Sequence[ExtractionDecision], subject: str) -> Iterator[str]:
    """Yield the log lines of each step.

    Validation lines show the scored confidence, gate lines the one that the gate used.
    """
    # Names and claims are cleaned: a log line must stay one line.
    yield f"[EXTRACTION] Processing summary for {printable(subject)}"
    yield f"[EXTRACT] Found {_number(len(decisions), 'candidate extraction')}"
    for each in decisions:
        if each.reason not in _UNSEEN:
            yield f"[VALIDATE] {_shown(each)} → validation: {_validated(each)}"
    for each in decisions:
        if each.reason is Reason.TYPE_RULE:
            yield f"[RULE] {_shown(each)} → rejected ({each.detail})"
    for type in sorted({each.type for each in decisions}, key=_place):
        yield from _gate(type, [each for each in decisions if each.type is type])
    stored = sum(each.stored for each in decisions)
    yield f"[STORE] Writing {_number(stored, 'memory', 'memories')} to Postgres"
    yield f"[RESULT] {stored}/{len(decisions)} extractions stored successfully"


def noun(type: MemoryType) -> str:
    """Return the display noun of a memory type."""
    return LABELS[type].replace("_", " ").capitalize()


def _gate(type: MemoryType, decisions: Sequence[ExtractionDecision]) -> Iterator[str]:
    """Yield how many of a type passed the gate, with the closest confidence to it."""
    # What failed before did not come to the gate.
    came = [each for each in decisions if each.reason in (None, Reason.BELOW_THRESHOLD)]
    if not came:
        return
    passed = [each for each in came if each.stored]
    # The weakest that passed, otherwise the strongest that failed: the closest decision.
    told = min(passed or came, key=lambda it: it.gated if passed else -it.gated)
    sign = ">=" if passed else "<"
    yield (
        f"[GATE] {noun(type)} {len(passed)}/{len(came)} passed confidence gate "
        f"({told.gated:.2f} {sign} {told.threshold:.2f})"
    )


def _validated(decision: ExtractionDecision) -> str:
    if decision.reason is Reason.INVALID:
        return f"FAIL (semantically invalid: {decision.detail})"
    if decision.grounded:
        return f"PASS ({decision.confidence:.2f} confidence)"
    if decision.detail == "not_in_turns":
        return "FAIL (not in the user's turns)"
    if decision.reason is Reason.HALLUCINATION and decision.missing:
        return f"FAIL (hallucination: {', '.join(decision.missing)} not mentioned)"
    return "FAIL (not in summary)"


def _shown(decision: ExtractionDecision) -> str:
    return f'{noun(decision.type)} "{printable(decision.content)}"'


def _place(type: MemoryType) -> int:
    # The specification's types first; `index` finds the first of two entries.
    order = [*CONVERSATION_TYPES, *MemoryType]
    return order.index(type)


def _number(count: int, one: str, more: str = "") -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"
