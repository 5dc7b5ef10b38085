"""Decisions about a model's extractions: grounding, type rules, confidence gate.

Nothing is told that is not grounded in the summary and, if there are any, in the
person's own turns (G1, G3a). Doubtful extractions become candidates, which people decide
about, if the model's confidence is high enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from festinger.core.language.grounding import Band, SourceText
from festinger.core.memories.classifying import type_of
from festinger.core.memories.contradicting import contradicts
from festinger.core.memories.decision import (
    IMPOSSIBLE_CONFIDENCE,
    ExtractionDecision,
    ExtractionVerdict,
    LoweredMemory,
    Reason,
)
from festinger.core.memories.doubts import about_another, no_longer, own_names
from festinger.core.memories.memory import Memory, MemoryExtraction, without_subject
from festinger.core.memories.policy import POLICY, MemoryPolicy
from festinger.core.memories.rules import TypeRule, breach
from festinger.core.memories.sanity import nonsense
from festinger.core.memories.scoring import score, sure
from festinger.core.memories.support import MentionKind, Support, as_lived, hold, shown
from festinger.core.memories.types import MemoryType, Status, alike

EXTRACTIONS_MAX = 50
"""Maximum number of a model's extractions that are decided; the rest is ignored."""


def decide(
    extractions: Sequence[MemoryExtraction],
    summary: SourceText,
    *,
    turns: SourceText | None = None,
    known: Sequence[Memory] = (),
    subject: str = "",
    asserts: bool = True,
    policy: MemoryPolicy = POLICY,
) -> list[ExtractionDecision]:
    """Decide about the extractions of one summary, in their order.

    Args:
        turns: The person's own turns; None if there is only the summary.
        known: Memories of the subject, in any status.
        asserts: Whether accepted extractions may be told; if not, people decide (G3: as
            for extractions of rules).
    """
    desk = _ClaimDecider(summary, turns, known, subject, asserts, policy)
    claims = [
        # All are read before any is decided, as they may contradict each other.
        desk.read(each, without_subject(each.text, each.type, subject))
        for each in extractions[:EXTRACTIONS_MAX]
    ]
    return [desk.decide(claim, claims) for claim in claims]


@dataclass(frozen=True, slots=True)
class _ComparedClaim:
    """Extraction that was compared with the texts.

    Attributes:
        nonsense: Why it makes no sense and was not compared; empty otherwise.
        supports: Its support in the summary and, if there are any, in the turns.
    """

    extraction: MemoryExtraction
    content: str
    nonsense: str
    supports: Sequence[Support] = ()
    typed: bool = True

    @property
    def weakest(self) -> Support:
        """The weakest support; that in the summary if the turns have no weaker one."""
        return min(self.supports, key=_strength)

    @property
    def plain(self) -> bool:
        """True if the claim is grounded in all texts."""
        if not self.supports:
            return False
        return self.weakest.grounding.band is Band.GROUNDED

    @property
    def grounded(self) -> bool:
        """True if all texts support the claim, fully or partly."""
        if not self.supports:
            return False
        return self.weakest.grounding.band is not Band.REJECTED


class _ClaimDecider:
    """Decider of the claims of one summary, which keeps track of repeated ones."""

    def __init__(
        self,
        summary: SourceText,
        turns: SourceText | None,
        known: Sequence[Memory],
        subject: str,
        asserts: bool,
        policy: MemoryPolicy,
    ) -> None:
        self._summary = summary
        self._turns = turns
        # Living memories last: they hide a refused one of the same content.
        self._known = {each.key: each for each in known if each.status is _REFUSED}
        self._living = [each for each in known if each.status in _LIVING]
        self._known.update({each.key: each for each in self._living})
        self._asserts = asserts
        self._policy = policy
        # Names by which the person is called, so that "Bob loves tea" may be about them.
        said = [*summary.sentences, *([] if turns is None else turns.sentences)]
        self._names = {*subject.lower().split(), *own_names(it.text for it in said)}
        self._seen: set[tuple[MemoryType, str]] = set()
        # Few turns are their own summary, which words nothing as a summary would.
        self._unabridged = turns is not None and [
            it.text for it in turns.sentences
        ] == [it.text for it in summary.sentences]

    def read(self, extraction: MemoryExtraction, content: str) -> _ComparedClaim:
        """Compare a claim with the texts, if it makes sense."""
        why = nonsense(content)
        if not why and not 0 <= extraction.confidence <= 1:
            why = IMPOSSIBLE_CONFIDENCE  # a model that answers 9.5 has not understood
        if why:
            return _ComparedClaim(extraction, content, why)
        # By the model's type first; the words may show another type, with rules of its own.
        supports = self._supports(content, extraction.type)
        lived = supports[1] if len(supports) > 1 else None
        type = type_of(content, extraction.type, lived)
        if type in (None, extraction.type):
            return _ComparedClaim(extraction, content, "", supports, type is not None)
        supports = self._supports(content, type)
        return _ComparedClaim(replace(extraction, type=type), content, "", supports)

    def _supports(self, content: str, type: MemoryType) -> list[Support]:
        """Return the support in the summary and, if there are any, in the turns."""
        thresholds = self._policy.thresholds
        told = hold(content, type, self._summary, thresholds)
        if self._turns is None:
            return [told]
        # People do not use the words in which a summary speaks of them.
        lived = hold(as_lived(content, type), type, self._turns, thresholds)
        if type is MemoryType.USER_PATTERN:
            manner = shown(content, self._turns, thresholds)
            if manner and _strength(manner) > _strength(lived):
                # No summary has to name what the turns show.
                return [manner, manner]
        # A text that is its own summary is not held to the wording of one.
        return [lived if self._unabridged else told, lived]

    def decide(
        self, claim: _ComparedClaim, all_claims: Sequence[_ComparedClaim]
    ) -> ExtractionDecision:
        """Decide about one claim."""
        extraction = claim.extraction
        rule = self._policy.rules[extraction.type]
        said = sure(extraction.confidence)
        new = ExtractionDecision(
            extraction,
            claim.content,
            ExtractionVerdict.REJECTED,
            said,
            said,
            rule.threshold,
            self._policy.thresholds.candidate,
        )
        if claim.nonsense:
            # The log shows what the model answered, and not what would fit.
            stated = extraction.confidence if isfinite(extraction.confidence) else 0.0
            return replace(
                new, gated=stated, reason=Reason.INVALID, detail=claim.nonsense
            )
        key = extraction.type, alike(claim.content)
        # A model that repeats itself adds no evidence.
        if key in self._seen:
            return replace(new, reason=Reason.DUPLICATE, detail="repeated")
        self._seen.add(key)
        decision = self._judge(new, claim, rule, all_claims)
        # After the judgement, since only a claim that would be told confirms what is known.
        if (same := self._known.get(key)) and claim.grounded:
            return _again(decision, same)
        return decision

    def _judge(
        self,
        new: ExtractionDecision,
        claim: _ComparedClaim,
        rule: TypeRule,
        all_claims: Sequence[_ComparedClaim],
    ) -> ExtractionDecision:
        extraction, supports = claim.extraction, claim.supports
        opposed = [
            each for each in self._living if contradicts(claim.content, each.content)
        ]
        # A summary that says both is no ground for either.
        torn = any(
            contradicts(claim.content, other.content)
            for other in all_claims
            if other.plain
        )
        # The turns show better than a summary how often the person said it.
        mentions = max(each.mentions for each in supports)
        support = supports[0] if claim.grounded else claim.weakest
        scored = score(
            extraction.type,
            extraction.confidence,
            replace(support, mentions=mentions),
            grounded=claim.grounded,
            contradicted=bool(opposed) or torn,
            factors=self._policy.factors,
        )
        decision = replace(
            new,
            confidence=scored.final,
            gated=scored.final,
            score=scored,
            grounding=claim.weakest.grounding,
            mention=supports[0].mention,
            missing=supports[0].missing,
            contradicts=tuple(each.id for each in opposed),
        )
        # The order decides which reason people see: text, then type, then doubt, then score.
        if not claim.grounded:
            return _ungrounded(decision, in_turns=claim.weakest is not supports[0])
        if broken := breach(rule, claim.content, supports):
            return replace(decision, reason=Reason.TYPE_RULE, detail=broken)
        if not claim.typed:
            return replace(decision, reason=Reason.TYPE_RULE, detail="of_no_type")
        doubt = self._doubt(decision, rule, claim, torn=torn)
        return self._lower(_gate(decision, rule, doubt), opposed)

    def _doubt(
        self,
        decision: ExtractionDecision,
        rule: TypeRule,
        claim: _ComparedClaim,
        *,
        torn: bool,
    ) -> str:
        """Return why people must decide, whatever the score; empty for no doubt."""
        grounding = claim.weakest.grounding
        of_a_person = decision.type in _OF_A_PERSON
        of_another = of_a_person and about_another(
            claim.content, claim.supports, self._names
        )
        over = of_a_person and no_longer(claim.content, claim.supports)
        failed = [guard for each in claim.supports for guard in each.grounding.failed]
        # The first that applies is shown to people.
        doubts = (
            (bool(decision.contradicts), "contradicts_known"),
            (torn, "contradicts_another"),
            (bool(failed), f"{failed[0]}_not_in_text" if failed else ""),
            (grounding.band is not Band.GROUNDED, "weakly_grounded"),
            (of_another, "about_another"),
            (over, "no_longer"),
            (rule.active is None or not self._asserts, "for_people"),
        )
        return next((why for doubted, why in doubts if doubted), "")

    def _lower(
        self, decision: ExtractionDecision, opposed: Sequence[Memory]
    ) -> ExtractionDecision:
        """Add the active memories that a grounded claim contradicts, with less confidence."""
        grounding = decision.grounding
        if (
            not decision.stored
            or not self._asserts
            or grounding is None
            or grounding.band is not Band.GROUNDED
        ):
            return decision
        # People change their minds: what they said before counts for less from now on.
        cost = self._policy.factors.contradicting
        lowered = [
            LoweredMemory(each.id, round(max(0.0, each.confidence + cost), 4))
            for each in opposed
            if each.status is Status.ACTIVE
        ]
        return replace(decision, lowered=tuple(lowered))


_ORDER = {Band.REJECTED: 0, Band.CANDIDATE: 1, Band.GROUNDED: 2}
_OF_A_PERSON = frozenset([MemoryType.USER_FACT, MemoryType.USER_PATTERN])
_LIVING = frozenset([Status.CANDIDATE, Status.ACTIVE, Status.GRADUATED])
# A claim that people rejected is not proposed again.
_REFUSED = Status.INVALID


def _strength(support: Support) -> int:
    return _ORDER[support.grounding.band]


def _ungrounded(decision: ExtractionDecision, *, in_turns: bool) -> ExtractionDecision:
    """Reject a claim that a text does not mention, or states differently."""
    # The summary has it, but the person never said it: the model made it up.
    if in_turns:
        return replace(decision, reason=Reason.HALLUCINATION, detail="not_in_turns")
    assert decision.grounding is not None
    if decision.grounding.failed:
        detail = f"{decision.grounding.failed[0]}_not_in_text"
        return replace(decision, reason=Reason.HALLUCINATION, detail=detail)
    if decision.mention is MentionKind.NONE:
        return replace(decision, reason=Reason.NOT_GROUNDED, detail="not_mentioned")
    return replace(decision, reason=Reason.HALLUCINATION, detail="embellished")


def _gate(
    decision: ExtractionDecision, rule: TypeRule, doubt: str
) -> ExtractionDecision:
    """Set the verdict by confidence: active, candidate, proposal or rejected (G3)."""
    # The doubt lowered the score already, and to resolve it is what the review is for: the
    # model's own confidence decides whether it is worth people's time.
    if doubt:
        said = sure(decision.extraction.confidence)
        decision = replace(decision, gated=said, detail=doubt)
    if decision.gated < rule.threshold:
        proposed = rule.proposal is not None and decision.gated >= rule.proposal
        return replace(
            decision,
            verdict=ExtractionVerdict.PROPOSAL
            if proposed
            else ExtractionVerdict.REJECTED,
            reason=Reason.BELOW_THRESHOLD,
        )
    if doubt:
        return replace(decision, verdict=ExtractionVerdict.CANDIDATE)
    assert rule.active is not None
    if decision.gated < rule.active:
        return replace(
            decision, verdict=ExtractionVerdict.CANDIDATE, detail="proposed_pattern"
        )
    return replace(decision, verdict=ExtractionVerdict.ACTIVE)


def _again(decision: ExtractionDecision, same: Memory) -> ExtractionDecision:
    """Reject a claim that is known already; an active one is confirmed."""
    confirmed = (
        decision.verdict is ExtractionVerdict.ACTIVE and same.status is Status.ACTIVE
    )
    return replace(
        decision,
        content=same.content,
        verdict=ExtractionVerdict.REJECTED,
        reason=Reason.DUPLICATE,
        detail=f"known_{same.status}",
        confirms=same.id if confirmed else None,
        lowered=(),
    )
