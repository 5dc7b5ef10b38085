"""What becomes of what a model extracted: ground, type rules, gate.

Nothing is told that is not grounded in the summary and, where there are any, in the
person's own turns (G1, G3a). What is doubtful in another way goes to people, if the model
was sure enough of it: a failed guard, half of the words, a contradiction of what is known.
For them the score is kept, but the gate asks for the model's own confidence: a doubt is
what they are there for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from festinger.core.grounding import THRESHOLDS, Band, Grounding, Text, Thresholds
from festinger.core.memories.contradicting import contradicts
from festinger.core.memories.memory import Extraction, Memory, without_subject
from festinger.core.memories.rules import RULES, Rule, about_another, breach
from festinger.core.memories.sanity import nonsense
from festinger.core.memories.scoring import FACTORS, Factors, Score, score, sure
from festinger.core.memories.support import Mention, Support, hold
from festinger.core.memories.types import MemoryType, Status, normalised

EXTRACTIONS_MAX = 50
"""How many of a model's extractions are looked at."""


class Verdict(StrEnum):
    """What becomes of an extraction."""

    ACTIVE = "active"
    """Stored, and told."""
    CANDIDATE = "candidate"
    """Stored; people decide."""
    PROPOSAL = "proposal"
    """Not stored, but logged as what may be a pattern."""
    REJECTED = "rejected"


STORED = frozenset([Verdict.ACTIVE, Verdict.CANDIDATE])


class Reason(StrEnum):
    """Why an extraction is not stored."""

    BELOW_THRESHOLD = "confidence_below_threshold"
    NOT_GROUNDED = "not_grounded_in_summary"
    HALLUCINATION = "hallucination"
    """The summary speaks of it, and not like that; or the summary made it up."""
    TYPE_RULE = "type_rule_violation"
    INVALID = "semantically_invalid"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Policy:
    """How it is decided; configuration may replace any of it."""

    thresholds: Thresholds = THRESHOLDS
    factors: Factors = FACTORS
    rules: Mapping[MemoryType, Rule] = field(default_factory=lambda: RULES)


POLICY = Policy()


@dataclass(frozen=True, slots=True)
class Lowered:
    """A known memory that is relied on less, since the person now says otherwise."""

    id: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of an extraction, and why.

    Attributes:
        content: What is stored, or would be: the claim without its subject.
        confidence: In [0.0, 1.0], by the score.
        gated: The confidence that the gate looked at.
        threshold: That of the type.
        score: None if it never was scored.
        grounding: In the summary, or in the turns if they support it less; None if
            nobody looked.
        mention: How the summary mentions it.
        missing: Words of it that are nowhere in the summary.
        reason: Why it is not stored; None if it is.
        detail: Why in a word, or why it is a candidate; empty if nothing is to be said.
        contradicts: The known memories that cannot be so as well.
        lowered: Those of them that are relied on less from now on.
        confirms: The known memory that was said again; None if none was.
    """

    extraction: Extraction
    content: str
    verdict: Verdict
    confidence: float
    gated: float
    threshold: float
    score: Score | None = None
    grounding: Grounding | None = None
    mention: Mention = Mention.NONE
    missing: tuple[str, ...] = ()
    reason: Reason | None = None
    detail: str = ""
    contradicts: tuple[int, ...] = ()
    lowered: tuple[Lowered, ...] = ()
    confirms: int | None = None

    @property
    def type(self) -> MemoryType:
        """What it is about."""
        return self.extraction.type

    @property
    def stored(self) -> bool:
        """Whether it becomes a memory."""
        return self.verdict in STORED

    @property
    def grounded(self) -> bool:
        """Whether its text supports it at all."""
        return self.grounding is not None and self.grounding.band is not Band.REJECTED


def decide(
    extractions: Sequence[Extraction],
    summary: Text,
    *,
    turns: Text | None = None,
    known: Sequence[Memory] = (),
    subject: str = "",
    asserts: bool = True,
    policy: Policy = POLICY,
) -> list[Decision]:
    """Decides about the extractions of one summary, in their order.

    Args:
        turns: What the person wrote; None if the summary is all that there is.
        known: What is remembered of the subject, in whatever status.
        asserts: Whether what passes may be told; if not, people decide (G3: what rules
            extract).
    """
    extractions = extractions[:EXTRACTIONS_MAX]
    claims = [without_subject(each.text, each.type, subject) for each in extractions]
    desk = _Desk(summary, turns, known, asserts, policy)
    decisions: list[Decision] = []
    for at, (extraction, claim) in enumerate(zip(extractions, claims, strict=True)):
        others = [other for index, other in enumerate(claims) if index != at]
        decisions.append(desk.decide(extraction, claim, others))
    return decisions


class _Desk:
    """Decides one after the other, and knows what was decided."""

    def __init__(
        self,
        summary: Text,
        turns: Text | None,
        known: Sequence[Memory],
        asserts: bool,
        policy: Policy,
    ) -> None:
        self._summary = summary
        self._turns = turns
        self._known = {each.key: each for each in known if each.status in _REMEMBERED}
        self._living = [each for each in known if each.status in _LIVING]
        self._asserts = asserts
        self._policy = policy
        self._seen: set[tuple[MemoryType, str]] = set()

    def decide(
        self, extraction: Extraction, claim: str, others: Collection[str]
    ) -> Decision:
        rule = self._policy.rules[extraction.type]
        said = sure(extraction.confidence)
        new = Decision(
            extraction, claim, Verdict.REJECTED, said, said, rule.threshold
        )
        if why := nonsense(claim):
            return replace(new, reason=Reason.INVALID, detail=why)
        key = extraction.type, normalised(claim)
        if key in self._seen:
            return replace(new, reason=Reason.DUPLICATE, detail="repeated")
        self._seen.add(key)
        decision = self._judge(new, rule, others)
        if same := self._known.get(key):
            return _again(decision, same)
        return decision

    def _judge(self, new: Decision, rule: Rule, others: Collection[str]) -> Decision:
        extraction, claim = new.extraction, new.content
        supports = self._hold(claim, extraction.type)
        weakest = min(supports, key=lambda it: _ORDER[it.grounding.band])
        grounding = weakest.grounding
        opposed = [each for each in self._living if contradicts(claim, each.content)]
        torn = any(contradicts(claim, other) for other in others)
        scored = score(
            extraction.type,
            extraction.confidence,
            supports[0],
            grounded=grounding.band is not Band.REJECTED,
            contradicted=bool(opposed) or torn,
            explicit=extraction.explicit,
            factors=self._policy.factors,
        )
        decision = replace(
            new,
            confidence=scored.final,
            gated=scored.final,
            score=scored,
            grounding=grounding,
            mention=supports[0].mention,
            missing=supports[0].missing,
            contradicts=tuple(each.id for each in opposed),
        )
        if grounding.band is Band.REJECTED:
            return _ungrounded(decision, in_turns=weakest is not supports[0])
        if broken := breach(rule, claim, supports):
            return replace(decision, reason=Reason.TYPE_RULE, detail=broken)
        doubt = self._doubt(decision, rule, torn=torn)
        if extraction.type in _OF_A_PERSON and about_another(claim, supports):
            doubt = doubt or "about_another"
        decision = _gate(decision, rule, doubt)
        return self._lower(decision, opposed)

    def _hold(self, claim: str, type: MemoryType) -> list[Support]:
        texts = [self._summary, *([] if self._turns is None else [self._turns])]
        thresholds = self._policy.thresholds
        return [hold(claim, type, text, thresholds) for text in texts]

    def _doubt(self, decision: Decision, rule: Rule, *, torn: bool) -> str:
        """Why people decide, whatever the score; empty if it may be told."""
        grounding = decision.grounding
        assert grounding is not None
        if decision.contradicts:
            return "contradicts_known"
        if torn:
            return "contradicts_another"
        if grounding.failed:
            return f"{grounding.failed[0]}_not_in_text"
        if grounding.band is not Band.GROUNDED:
            return "weakly_grounded"
        if rule.active is None or not self._asserts:
            return "for_people"
        return ""

    def _lower(self, decision: Decision, opposed: Sequence[Memory]) -> Decision:
        """What the person plainly says now makes them doubtful who said otherwise."""
        grounding = decision.grounding
        if (
            not decision.stored
            or not self._asserts
            or grounding is None
            or grounding.band is not Band.GROUNDED
        ):
            return decision
        cost = self._policy.factors.contradicting
        lowered = [
            Lowered(each.id, round(max(0.0, each.confidence + cost), 4))
            for each in opposed
            if each.status is Status.ACTIVE
        ]
        return replace(decision, lowered=tuple(lowered))


_ORDER = {Band.REJECTED: 0, Band.CANDIDATE: 1, Band.GROUNDED: 2}
_OF_A_PERSON = frozenset([MemoryType.USER_FACT, MemoryType.USER_PATTERN])
_LIVING = frozenset([Status.CANDIDATE, Status.ACTIVE, Status.GRADUATED])
# What people decided against is not asked about again.
_REMEMBERED = _LIVING | {Status.INVALID}


def _ungrounded(decision: Decision, *, in_turns: bool) -> Decision:
    """Rejected: either nothing speaks of it, or something does, and not like that."""
    if in_turns:
        return replace(decision, reason=Reason.HALLUCINATION, detail="not_in_turns")
    assert decision.grounding is not None
    if decision.grounding.failed:
        detail = f"{decision.grounding.failed[0]}_not_in_text"
        return replace(decision, reason=Reason.HALLUCINATION, detail=detail)
    if decision.mention is Mention.NONE:
        return replace(decision, reason=Reason.NOT_GROUNDED, detail="not_mentioned")
    return replace(decision, reason=Reason.HALLUCINATION, detail="embellished")


def _gate(decision: Decision, rule: Rule, doubt: str) -> Decision:
    """By confidence: told, for people, a proposal, or nothing (G3)."""
    if doubt:
        said = sure(decision.extraction.confidence)
        decision = replace(decision, gated=said, detail=doubt)
    if decision.gated < rule.threshold:
        proposed = rule.proposal is not None and decision.gated >= rule.proposal
        return replace(
            decision,
            verdict=Verdict.PROPOSAL if proposed else Verdict.REJECTED,
            reason=Reason.BELOW_THRESHOLD,
        )
    if doubt:
        return replace(decision, verdict=Verdict.CANDIDATE)
    assert rule.active is not None
    if decision.gated < rule.active:
        return replace(decision, verdict=Verdict.CANDIDATE, detail="proposed_pattern")
    return replace(decision, verdict=Verdict.ACTIVE)


def _again(decision: Decision, same: Memory) -> Decision:
    """What is known already is not stored twice; said again, it is confirmed."""
    confirmed = decision.verdict is Verdict.ACTIVE and same.status is Status.ACTIVE
    return replace(
        decision,
        verdict=Verdict.REJECTED,
        reason=Reason.DUPLICATE,
        detail=f"known_{same.status}",
        confirms=same.id if confirmed else None,
        lowered=(),
    )
