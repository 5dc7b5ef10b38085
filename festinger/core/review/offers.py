"""Offers for review from the findings in a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.memories.types import ENGINEERING_TYPES, MemoryKind
from festinger.core.review.findings import ChunkFinding, StoredDocument
from festinger.core.review.queue import (
    CONTENT_CHARACTERS_MIN,
    KnownTexts,
    confidence,
    is_long_enough,
    rank,
)
from festinger.core.review.records import Origin, ProposedRecord
from festinger.core.system.excerpt import begin_within, end_within

QUOTE_CHARACTERS = 300
"""Approximate length of the quote around a finding."""
TOO_SHORT = "too_short"


@dataclass(frozen=True, slots=True)
class DroppedFinding:
    """Finding that is not offered.

    Attributes:
        detail: The reason as text for people.
    """

    swept: ChunkFinding
    reason: str
    detail: str


def offers(
    document: StoredDocument,
    found: Sequence[ChunkFinding],
    known: KnownTexts,
    *,
    now: float,
) -> tuple[list[ProposedRecord], list[DroppedFinding]]:
    """Divide findings into offers for review and dropped findings.

    Args:
        known: Known contents, to compute the novelty.
    """
    # Findings name their chunk, and the quote is cut out of it.
    texts = {part.id: part.text for part in document.parts}
    offered: list[ProposedRecord] = []
    dropped: list[DroppedFinding] = []
    for each in found:
        content = each.found.content.strip()
        if not is_long_enough(content):  # a reviewer cannot decide about a fragment
            detail = f"fewer than {CONTENT_CHARACTERS_MIN} characters"
            dropped.append(DroppedFinding(each, TOO_SHORT, detail))
            continue
        relied = confidence(
            each.found.prior, document.path, changed=document.modified, now=now
        )
        offered.append(
            ProposedRecord(
                kind=_kind(each),
                type=each.found.type,
                content=content,
                origin=_origin(document, each, texts[each.chunk_id]),
                confidence=relied,
                # "extractor:" keeps programs apart from people: nobody approves what
                # they proposed (E6).
                proposer=f"extractor:{each.extractor}",
                project=document.project,
                fact=each.found.fact,
                rank=rank(relied, content, known.novelty(content)),
            )
        )
    return offered, dropped


# Engineering types are memories first, and may graduate to entities.
def _kind(swept: ChunkFinding) -> MemoryKind:
    """Return the kind of a finding: a memory for engineering types, else an entity."""
    return (
        MemoryKind.MEMORY
        if swept.found.type in ENGINEERING_TYPES
        else MemoryKind.ENTITY
    )


def _origin(document: StoredDocument, swept: ChunkFinding, text: str) -> Origin:
    start, end = _around(text, swept.found.span)
    # Both ends relative to the quote, which may end before the match does.
    first, last = swept.found.span
    return Origin(
        chunk_id=swept.chunk_id,
        rule=swept.found.rule,
        extractor=swept.extractor,
        extractor_version=swept.version,
        span=swept.found.span,
        quote=text[start:end],
        quote_span=(first - start, min(last, end) - start),
        place=document.path,
    )


def _around(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the span of the lines around a span, limited in length."""
    first, last = span
    # A match longer than the quote is shown from its beginning.
    if last - first > QUOTE_CHARACTERS:
        last = end_within(text, first, first + QUOTE_CHARACTERS)
    room = (QUOTE_CHARACTERS - (last - first)) // 2
    # Not beyond the line: what stands above is often another item.
    start = max(first - room, text.rfind("\n", 0, first) + 1)
    line = text.find("\n", last)
    stop = min(last + room, len(text) if line == -1 else line)
    return begin_within(text, start, first), end_within(text, last, stop)
