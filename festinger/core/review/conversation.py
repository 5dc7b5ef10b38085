"""What becomes of what was read in a conversation: offers, findings and rejections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from festinger.core.language.grounding import Text
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
    PastExtraction,
    aggregate,
    recommendation,
    record,
)
from festinger.core.memories.rejections import report as as_text
from festinger.core.memories.support import hold
from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.claims import Offer, Origin
from festinger.core.review.extractors import ExtractionSource, attempt
from festinger.core.review.rules.sentences import Sentences
from festinger.core.system.excerpt import head
from festinger.core.system.printing import printable

EXTRACTOR_VERSION = "0.1.0"
"""Of the prompts, the checks and the gate. 0.1.0: the first ones."""
EXTRACTOR = "conversations"
SAID = (MemoryType.IDENTITY, MemoryType.PREFERENCE)
"""What rules read in what a person says of themselves; always for people to decide."""
QUOTE_CHARACTERS_MAX = 400
REASONING_CHARACTERS_MAX = 500
KNOWN = "known"
"""The outcome of what was remembered already."""


@dataclass(frozen=True, slots=True)
class InteractionReading:
    """What was read in an interaction, and what is to become of it.

    Attributes:
        decisions: What a model extracted, in its order.
        offers: What is put forward of that, at its place; None where nothing is.
        said: What rules found in the subject's own sentences.
        log: What happened to the model's extractions, line by line.
    """

    decisions: Sequence[ExtractionDecision] = ()
    offers: Sequence[Offer | None] = ()
    said: Sequence[Offer] = ()
    log: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ExtractionCase:
    """What is to be considered.

    Attributes:
        extractions: What a model extracted from the summary.
        known: What is remembered of the subject, in whatever status.
        proposer: The model, for people.
        asserts: Whether what people write may be told without people deciding (E1).
    """

    interaction: Interaction
    extractions: Sequence[MemoryExtraction]
    summary: str
    known: Sequence[Memory]
    proposer: str
    asserts: bool
    policy: MemoryPolicy


def consider(case: ExtractionCase) -> InteractionReading:
    """Decides about what a model extracted, and reads what rules see beside it.

    Of a long conversation it takes seconds: not beside prompts.
    """
    interaction = case.interaction
    # A claim is held against what the model saw, and nothing else.
    turns = Text("\n\n".join(shown_turns(interaction.spoken)))
    decisions = decide(
        case.extractions,
        Text(shown(case.summary)),
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
    """What became of each extraction, and of what rules found.

    Args:
        numbers: The claim of each offer, 0 for none: the model's, then the rules'.
        known: Those claims that were there before.
    """
    made = iter(numbers)
    found: list[InteractionFinding] = []
    for decision, offer in zip(reading.decisions, reading.offers, strict=True):
        number = next(made) if offer else 0
        outcome = str(decision.verdict)
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
    for said in reading.said:
        number = next(made)
        outcome = KNOWN if number in known else str(said.status)
        found.append(
            InteractionFinding(
                said.content, said.type, said.confidence, outcome, claim_id=number
            )
        )
    return found


def rejections(
    reading: InteractionReading, interaction: Interaction, *, tenant: str, now: float
) -> list[RejectedExtraction]:
    """What is logged as not stored; what was known already failed in nothing."""
    rejected = []
    for decision in reading.decisions:
        if decision.reason in (None, Reason.DUPLICATE):
            continue
        kept = record(decision, subject=interaction.subject, tenant=tenant, now=now)
        rejected.append(
            RejectedExtraction(
                interaction.subject,
                interaction.id,
                kept["rejection_reason"],
                decision.detail,
                kept["extracted_text"],
                decision.type,
                kept["confidence_score"],
                kept["threshold"],
                decision.verdict is ExtractionVerdict.PROPOSAL,
                kept["validation_details"],
            )
        )
    return rejected


@dataclass(frozen=True, slots=True)
class ExtractionReport:
    """What became of the last extractions.

    Attributes:
        counts: What they came to, in words, and how often.
        trend: What is rejected most, in words; empty if nothing is.
        lines: All of it, for people.
    """

    extractions: int
    counts: Sequence[tuple[str, int]]
    trend: str
    recommendation: str
    lines: Sequence[str]


def report(
    past: Sequence[InteractionFinding], policy: MemoryPolicy
) -> ExtractionReport:
    """Counts what became of extractions, oldest first.

    Args:
        policy: The one in force, for what to do about what is rejected.
    """
    trend = aggregate(
        [
            PastExtraction(
                each.type,
                each.confidence,
                Reason(each.reason) if each.reason else None,
                each.detail,
            )
            for each in past
        ],
        len(past),
    )
    lines = as_text(trend, policy).splitlines()
    counts = [
        (title, trend.counts[reason])
        for reason, title in TITLES.items()
        if trend.counts.get(reason)
    ]
    return ExtractionReport(
        trend.extractions,
        [*counts, ("Accepted", trend.accepted)] if trend.extractions else [],
        # The text ends with what is rejected most, and what to do about it.
        lines[-2].removeprefix("  - ") if trend.worst else "",
        recommendation(trend, policy),
        lines,
    )


def _offer(
    decision: ExtractionDecision, interaction: Interaction, turns: Text, proposer: str
) -> Offer | None:
    """What is put forward of a decision: a memory, or that one was found again."""
    if not (decision.stored or _is_again(decision)):
        return None
    sources = hold(decision.content, decision.type, turns).sources
    quote = sources[0].text if sources else ""
    told = decision.verdict is ExtractionVerdict.ACTIVE
    return Offer(
        MemoryKind.MEMORY,
        decision.type,
        printable(decision.content),
        _origin(interaction, EXTRACTOR, EXTRACTOR_VERSION, decision.type, quote),
        decision.confidence,
        proposer,
        # What somebody says of themselves is so in every project.
        subject=interaction.subject,
        reasoning=_reasoning(decision),
        status=Status.ACTIVE if told else Status.CANDIDATE,
        contradicts=tuple(each.id for each in decision.lowered),
        rank=decision.confidence,
    )


def _is_again(decision: ExtractionDecision) -> bool:
    """Whether what is known was found again, and as well as if it were new."""
    if decision.reason is not Reason.DUPLICATE or decision.detail == "repeated":
        return False
    if decision.detail == f"known_{Status.ACTIVE}":
        return decision.confirms is not None
    return decision.grounded and decision.gated >= decision.threshold


def _reasoning(decision: ExtractionDecision) -> str:
    parts = [decision.extraction.reasoning, decision.detail.replace("_", " ")]
    text = "; ".join(printable(part).strip() for part in parts if part.strip())
    return text[:REASONING_CHARACTERS_MAX]


def _said(interaction: Interaction) -> Iterator[Offer]:
    """What the subject says of themselves in so many words."""
    reader = Sentences()
    for turn in interaction.spoken:
        source = ExtractionSource(turn, project=interaction.project)
        for found in attempt(reader, source).found:
            if found.type not in SAID:
                continue
            quote = turn[slice(*found.span)]
            yield Offer(
                MemoryKind.MEMORY,
                found.type,
                found.content,
                _origin(interaction, reader.name, reader.version, found.rule, quote),
                found.prior,
                f"extractor:{reader.name}",
                project=interaction.project,
                subject=interaction.subject,
                rank=found.prior,
            )


def _origin(
    interaction: Interaction, extractor: str, version: str, rule: str, quote: str
) -> Origin:
    """Where it was found: what the subject said, cut if it is long."""
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
