"""Results of reading an interaction: offers, findings and rejections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from festinger.core.language.grounding import SourceText
from festinger.core.memories.deciding import decide
from festinger.core.memories.decision import (
    ExtractionDecision,
    ExtractionVerdict,
    Reason,
)
from festinger.core.memories.interaction import (
    Interaction,
    InteractionFinding,
    RejectedExtraction,
)
from festinger.core.memories.journal import log
from festinger.core.memories.memory import Memory, MemoryExtraction
from festinger.core.memories.policy import MemoryPolicy
from festinger.core.memories.prompt import shown, shown_turns
from festinger.core.memories.rejections import (
    TITLES,
    aggregate,
    recommendation,
    record,
)
from festinger.core.memories.rejections import report as as_text
from festinger.core.memories.support import hold
from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.extractors import ExtractionSource, attempt
from festinger.core.review.records import Origin, ProposedRecord
from festinger.core.review.rules.sentences import Sentences
from festinger.core.system.excerpt import head, printable

EXTRACTOR_VERSION = "0.1.0"
"""Version of the prompts, the checks and the gate. 0.1.0: the first ones."""
EXTRACTOR = "conversations"  # proposer and extractor of what a model read
SAID = (MemoryType.IDENTITY, MemoryType.PREFERENCE)
"""Types that rules find in statements about oneself; people always decide."""
QUOTE_CHARACTERS_MAX = 400
REASONING_CHARACTERS_MAX = 500
KNOWN = "known"
"""Outcome of an extraction that was known already."""


@dataclass(frozen=True, slots=True)
class InteractionReading:
    """Result of reading an interaction.

    Attributes:
        decisions: Decisions about a model's extractions, in their order.
        offers: The offer of each decision; None for a decision without one.
        rule_offers: Offers of rules, from the subject's own sentences.
        log: Log lines about the model's extractions.
    """

    decisions: Sequence[ExtractionDecision] = ()
    offers: Sequence[ProposedRecord | None] = ()
    rule_offers: Sequence[ProposedRecord] = ()
    log: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ExtractionCase:
    """Extractions from an interaction, with all that a decision about them needs.

    Attributes:
        extractions: A model's extractions from the summary.
        known: Memories of the subject, in any status.
        proposer: Display name of the model.
        asserts: Whether statements may be told without a review (E1).
    """

    interaction: Interaction
    extractions: Sequence[MemoryExtraction]
    summary: str
    known: Sequence[Memory]
    proposer: str
    asserts: bool
    policy: MemoryPolicy


def consider(case: ExtractionCase) -> InteractionReading:
    """Decide about a model's extractions, and apply rules to the subject's turns."""
    # Takes seconds for a long conversation, so that it is not run where prompts are served.
    interaction = case.interaction
    # Records are compared with the text that the model saw, and nothing else.
    turns = SourceText("\n\n".join(shown_turns(interaction.spoken)))
    decisions = decide(
        case.extractions,
        SourceText(shown(case.summary)),
        turns=turns,
        known=case.known,
        subject=interaction.subject,
        asserts=case.asserts,
        policy=case.policy,
    )
    return InteractionReading(
        decisions,
        [_offer(each, interaction, turns, case.proposer) for each in decisions],
        list(_said(interaction)),
        list(log(decisions, interaction.subject)),
    )


def findings(
    reading: InteractionReading, numbers: Sequence[int], known: frozenset[int]
) -> list[InteractionFinding]:
    """Return the outcome of each extraction, then of each finding of rules.

    Args:
        numbers: MemoryRecord of each offer, 0 for none: the model's, then the rules'.
        known: Those of the records that existed before.
    """
    made = iter(numbers)  # both kinds of offers took their numbers in this order
    found: list[InteractionFinding] = []
    for decision, offer in zip(reading.decisions, reading.offers, strict=True):
        number = next(made) if offer else 0
        outcome = str(decision.verdict)
        # It has the identity of a record that existed before.
        if number in known or decision.reason is Reason.DUPLICATE:
            outcome = KNOWN
        found.append(
            InteractionFinding(
                printable(decision.content),
                decision.type,
                decision.confidence,
                outcome,
                decision.reason or "",
                decision.detail,
                number,
            )
        )
    for offer in reading.rule_offers:
        number = next(made)
        outcome = KNOWN if number in known else str(offer.status)
        found.append(
            InteractionFinding(
                offer.content, offer.type, offer.confidence, outcome, record_id=number
            )
        )
    return found


def rejections(
    reading: InteractionReading, interaction: Interaction, *, tenant: str, now: float
) -> list[RejectedExtraction]:
    """Return the rejected extractions to log; duplicates are not among them."""
    rejected = []
    for decision in reading.decisions:
        # A duplicate is no mistake of the model's.
        if decision.reason in (None, Reason.DUPLICATE):
            continue
        values = record(decision, subject=interaction.subject, tenant=tenant, now=now)
        rejected.append(
            RejectedExtraction(
                interaction.subject,
                interaction.id,
                values["rejection_reason"],
                decision.detail,
                values["extracted_text"],
                decision.type,
                values["confidence_score"],
                values["threshold"],
                decision.verdict is ExtractionVerdict.PROPOSAL,
                values["validation_details"],
            )
        )
    return rejected


@dataclass(frozen=True, slots=True)
class ExtractionReport:
    """Report on the last extractions.

    Attributes:
        counts: Titles of the outcomes, each with its count.
        trend: Description of the most frequent rejection; empty if there is none.
    """

    extractions: int
    counts: Sequence[tuple[str, int]]
    trend: str
    recommendation: str
    lines: Sequence[str]


def report(
    past: Sequence[InteractionFinding], policy: MemoryPolicy
) -> ExtractionReport:
    """Report on past extractions, oldest first."""
    trend = aggregate(past, len(past))
    lines = as_text(trend, policy).splitlines()
    counts = [
        (title, trend.counts[reason])
        for reason, title in TITLES.items()
        if trend.counts.get(reason)
    ]
    return ExtractionReport(
        trend.extractions,
        [*counts, ("Accepted", trend.accepted)] if trend.extractions else [],
        # The last two lines are the most frequent rejection and the recommendation.
        lines[-2].removeprefix("  - ") if trend.worst else "",
        recommendation(trend, policy),
        lines,
    )


def _offer(
    decision: ExtractionDecision,
    interaction: Interaction,
    turns: SourceText,
    proposer: str,
) -> ProposedRecord | None:
    """Return the offer of a new or re-extracted memory; None for other decisions."""
    # A known one is offered again, so that its count and confirmation go up.
    if not (decision.stored or _is_again(decision)):
        return None
    # People are shown the sentence that supports it best.
    sources = hold(decision.content, decision.type, turns).sources
    quote = sources[0].text if sources else ""
    is_active = decision.verdict is ExtractionVerdict.ACTIVE
    return ProposedRecord(
        MemoryKind.MEMORY,
        decision.type,
        printable(decision.content),
        _origin(interaction, EXTRACTOR, EXTRACTOR_VERSION, decision.type, quote),
        decision.confidence,
        proposer,
        # Statements about oneself hold in every project.
        subject=interaction.subject,
        reasoning=_reasoning(decision),
        status=Status.ACTIVE if is_active else Status.CANDIDATE,
        contradicts=tuple(each.id for each in decision.lowered),
        rank=decision.confidence,
    )


def _is_again(decision: ExtractionDecision) -> bool:
    """Return True if a known memory was found again, by the checks of a new one."""
    if decision.reason is not Reason.DUPLICATE or decision.detail == "repeated":
        return False
    # An active one was confirmed or not; others need what a new one needs.
    if decision.detail == f"known_{Status.ACTIVE}":
        return decision.confirms is not None
    return decision.grounded and decision.gated >= decision.threshold


def _reasoning(decision: ExtractionDecision) -> str:
    parts = [decision.extraction.reasoning, decision.detail.replace("_", " ")]
    text = "; ".join(printable(part).strip() for part in parts if part.strip())
    return text[:REASONING_CHARACTERS_MAX]


def _said(interaction: Interaction) -> Iterator[ProposedRecord]:
    """Yield offers of the subject's explicit statements about themselves."""
    reader = Sentences()
    for turn in interaction.spoken:
        source = ExtractionSource(turn, project=interaction.project)
        for found in attempt(reader, source).found:
            if found.type not in SAID:
                continue
            quote = turn[slice(*found.span)]
            yield ProposedRecord(
                MemoryKind.MEMORY,
                found.type,
                found.content,
                _origin(interaction, reader.name, reader.version, found.rule, quote),
                found.prior,
                f"extractor:{reader.name}",
                # No project, as for a model's: else one statement is two records.
                subject=interaction.subject,
                rank=found.prior,
            )


def _origin(
    interaction: Interaction, extractor: str, version: str, rule: str, quote: str
) -> Origin:
    """Return the origin of a quote from the subject's turns; a long one is cut."""
    # Looked for before it is cut: the begin alone may occur more than once.
    span = interaction.place_of(quote)
    quote = head(quote, QUOTE_CHARACTERS_MAX)
    return Origin(
        interaction_id=interaction.id,
        rule=rule,
        extractor=extractor,
        extractor_version=version,
        span=span,
        quote=quote,
        quote_span=(0, len(quote)),
        place=interaction.session,
    )
