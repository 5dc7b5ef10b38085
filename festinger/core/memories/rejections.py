"""Records of rejected extractions, and a report with advice about the prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from festinger.core.memories.decision import (
    IMPOSSIBLE_CONFIDENCE,
    ExtractionDecision,
    Reason,
)
from festinger.core.memories.interaction import InteractionFinding
from festinger.core.memories.lines import LABELS
from festinger.core.memories.policy import POLICY, MemoryPolicy
from festinger.core.memories.sanity import CLAIM_CHARACTERS_MAX
from festinger.core.memories.support import SIMILAR_MIN, MentionKind
from festinger.core.memories.types import MemoryType
from festinger.core.system.excerpt import printable

EXTRACTIONS = 100
"""Number of past extractions in a report."""

TITLES = {
    Reason.BELOW_THRESHOLD: "Below threshold",
    Reason.NOT_GROUNDED: "Not grounded",
    Reason.HALLUCINATION: "Hallucination",
    Reason.TYPE_RULE: "Type rule",
    Reason.INVALID: "Semantically invalid",
    Reason.DUPLICATE: "Duplicate",
}
# Listed even if there are none, so that a report says that nothing was made up.
_ALWAYS = (Reason.BELOW_THRESHOLD, Reason.NOT_GROUNDED, Reason.HALLUCINATION)


@dataclass(frozen=True, slots=True)
class Trend:
    """Outcomes of the last extractions.

    Attributes:
        counts: Number of rejected extractions by reason.
        worst: The most frequent pair of reason and type, duplicates aside, with its
            count; None if there is none.
        confidences: Lowest and highest confidence of the extractions of that pair.
        detail: Their most frequent detail.
    """

    extractions: int
    accepted: int
    counts: dict[Reason, int]
    worst: tuple[Reason, MemoryType, int] | None = None
    confidences: tuple[float, float] = (0.0, 0.0)
    detail: str = ""


def record(
    decision: ExtractionDecision, *, subject: str, tenant: str, now: float
) -> dict[str, Any]:
    """Return the log record of an extraction that was not stored."""
    # Only what is not stored is logged.
    assert decision.reason is not None
    grounding = decision.grounding
    moment = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
    return {
        "timestamp": moment.replace("+00:00", "Z"),
        "subject_id": subject,
        "tenant_id": tenant,
        "rejection_reason": str(decision.reason),
        # A model's text may contain control characters, and be of any length.
        "extracted_text": printable(decision.extraction.text)[:CLAIM_CHARACTERS_MAX],
        "confidence_score": decision.gated,
        "threshold": decision.threshold,
        "type": decision.type.upper(),
        "validation_details": {
            "exact_match": decision.mention is MentionKind.EXACT,
            "key_phrases": decision.mention in (MentionKind.EXACT, MentionKind.PHRASES),
            "semantic_similarity": round(grounding.score, 4) if grounding else None,
            "detail": decision.detail,
            "missing": [printable(word) for word in decision.missing],
            "reason": explain(decision),
        },
    }


def explain(decision: ExtractionDecision) -> str:
    """Return the reason why an extraction is not stored, as text for people."""
    score = decision.grounding.score if decision.grounding else 0.0
    match decision.reason:
        case Reason.BELOW_THRESHOLD:
            return (
                f"confidence {decision.gated:.2f} below the threshold "
                f"{decision.threshold:.2f} of {decision.type.upper()}"
            )
        case Reason.NOT_GROUNDED | Reason.HALLUCINATION:
            # The score is that of the turns, and says nothing about the summary.
            if decision.detail == "not_in_turns":
                return "the summary says so, and the user's own turns do not"
            words = ", ".join(printable(word) for word in decision.missing)
            missing = f"; not mentioned: {words}" if words else ""
            # The stricter of what counts as a mention and the configured floor.
            needs = max(SIMILAR_MIN, decision.floor)
            return f"semantic similarity {score:.2f} below {needs}{missing}"
        case Reason.INVALID if decision.detail == IMPOSSIBLE_CONFIDENCE:
            stated = decision.extraction.confidence
            return f"confidence {stated:g} is not between 0 and 1"
        case Reason.TYPE_RULE | Reason.INVALID:
            return decision.detail.replace("_", " ")
        case Reason.DUPLICATE:
            return f"it is there already ({decision.detail.replace('_', ' ')})"
        case None:
            return "stored"


def aggregate(past: Sequence[InteractionFinding], last: int = EXTRACTIONS) -> Trend:
    """Count the last extractions by outcome; `past` is oldest first."""
    # `past[-0:]` would be all of them.
    recent = past[-last:] if last > 0 else past[:0]
    rejected = [each for each in recent if each.reason]
    counts = Counter(Reason(each.reason) for each in rejected)
    trend = Trend(len(recent), len(recent) - len(rejected), dict(counts))
    # A duplicate is no failure: the memory is known already.
    failed = [each for each in rejected if each.reason != Reason.DUPLICATE]
    pairs = Counter((Reason(each.reason), each.type) for each in failed)
    if not pairs:
        return trend
    # The most frequent, by name among equals: the order of the log must not matter.
    (reason, type), count = min(
        pairs.items(), key=lambda it: (-it[1], it[0][0], it[0][1])
    )
    group = [each for each in failed if (each.reason, each.type) == (reason, type)]
    found = [each.confidence for each in group]
    details = Counter(each.detail for each in group if each.detail)
    detail = min(details, key=lambda it: (-details[it], it), default="")
    return replace(
        trend,
        worst=(reason, type, count),
        confidences=(min(found), max(found)),
        detail=detail,
    )


def report(trend: Trend, policy: MemoryPolicy = POLICY) -> str:
    """Return the summary and the trend as text."""
    lines = [f"[REJECTION SUMMARY] Last {trend.extractions} extractions"]
    for reason, title in TITLES.items():
        count = trend.counts.get(reason, 0)
        if count or reason in _ALWAYS:
            lines.append(f"  - {title}: {_share(count, trend.extractions)}")
    lines.append(f"  - Accepted: {_share(trend.accepted, trend.extractions)}")
    if trend.worst is not None:
        lines += [
            "",
            "[TRENDING] Most common rejection type:",
            f"  - {_worst(trend, trend.worst[0], trend.worst[1], policy)}",
            f"  - Recommendation: {recommendation(trend, policy)}",
        ]
    return "\n".join(lines)


def _share(count: int, whole: int) -> str:
    return f"{count} ({round(100 * count / whole) if whole else 0}%)"


def _worst(trend: Trend, reason: Reason, type: MemoryType, policy: MemoryPolicy) -> str:
    low, high = (f"{each:.2f}" for each in trend.confidences)
    if reason is Reason.BELOW_THRESHOLD:
        span = low if low == high else f"{low}–{high}"  # noqa: RUF001 - a range
        needs = policy.rules[type].threshold
        return f"{type.upper()} with confidence {span} (needs {needs:.2f}+)"
    detail = f" ({trend.detail.replace('_', ' ')})" if trend.detail else ""
    return f"{type.upper()}: {TITLES[reason].lower()}{detail}"


def recommendation(trend: Trend, policy: MemoryPolicy = POLICY) -> str:
    """Return advice about the most frequent rejection; empty if there is none."""
    if trend.worst is None:
        return ""
    reason, type, _ = trend.worst
    what = LABELS[type]
    if reason is Reason.BELOW_THRESHOLD:
        short = policy.rules[type].threshold - trend.confidences[1]
        # A near miss is due to the prompt; a far one to conversations with too little evidence.
        if short <= policy.factors.often:
            return f"Refine extraction prompt to be stricter on {what} confidence"
        return f"Ask for a {what} only where the summary says it more than once"
    # Hallucinations are due to the model: the prompt forbids them.
    if reason is Reason.HALLUCINATION and trend.detail == "not_in_turns":
        return "Choose another model for the summary: it adds what nobody said"
    if reason is Reason.HALLUCINATION:
        return f"Choose another model: it adds to the {what}s what nobody said"
    if reason is Reason.NOT_GROUNDED:
        return f"Refine extraction prompt to keep a {what} in the summary's own words"
    if reason is Reason.TYPE_RULE:
        broken = trend.detail.replace("_", " ") or "what its type does not take"
        return f"Refine extraction prompt to leave out from {what}s: {broken}"
    if trend.detail == IMPOSSIBLE_CONFIDENCE:
        return "Choose another model: its confidences are not between 0 and 1"
    # No prompt helps against text that somebody wrote to be kept.
    if trend.detail in ("instructions", "role_marker", "markup", "spelt_out"):
        return (
            "Look at who writes to the agents: instructions were put there to be kept"
        )
    return f"Refine extraction prompt to write a {what} as one plain sentence"
