"""Extractor of headings with a type: `## Decision: Use Postgres`.

Under a plain `## Decision`, as in decision records, the first sentence that stands by
itself is the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import (
    PlainSentence,
    ProseExtractor,
    headings,
    passages,
    plain,
    sentences_of,
)
from festinger.core.review.rules.doubts import (
    cleaned,
    decides_back,
    is_content,
    is_meant,
)
from festinger.core.review.rules.sentences import marked
from festinger.core.review.rules.titles import is_decision, topics, with_title

EXTRACTOR_VERSION = "0.2.0"
PRIOR = 0.7  # the author marked it on purpose: the most specific

# Sentences of a section "Decision" that only lead to it: "We looked at three options".
_NO_DECISION = re.compile(
    r"(?:this|these|that|those|it|they|such|the following|currently|however|both"
    r"|we (?:have |also )?(?:explored|considered|discussed|looked|evaluated|investigated"
    r"|compared|reviewed|tried|found))\b",
    re.IGNORECASE,
)


class Headings(ProseExtractor):
    """Extractor of headings with an explicit type."""

    name = "headings"
    version = EXTRACTOR_VERSION

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the statements of headings, in the order of the text."""
        found = [*_said(source), *_under(source)]
        return sorted(found, key=lambda it: it.span)


def _said(source: ExtractionSource) -> Iterator[ExtractorFinding]:
    for heading in headings(source):
        mark = marked(plain(heading.title), heading=True)
        if mark and is_content(mark[1]):
            kind, content = mark
            # The block has blank lines behind it, which are no part of the finding.
            end = heading.start + len(source.text[heading.start : heading.end].rstrip())
            yield ExtractorFinding(
                kind, cleaned(content), "heading", PRIOR, (heading.start, end)
            )


def _under(source: ExtractionSource) -> Iterator[ExtractorFinding]:
    for passage in passages(source):
        # Decision records have a plain "## Decision", and the decision in the text below.
        if not passage.under or not is_decision(source, passage):
            continue
        first = next(filter(_decides, sentences_of(source, passage)), None)
        if first:
            # "Use it for queues" needs the record's title to be understood.
            content = with_title(cleaned(first.text), "", topics(source, passage))
            yield ExtractorFinding(
                MemoryType.DECISION, content, "heading_section", PRIOR, first.span
            )


def _decides(sentence: PlainSentence) -> bool:
    """Return whether a sentence can be the decision, without those before it."""
    return (
        is_meant(sentence)
        and is_content(sentence.text)
        and not decides_back(sentence.guarded)
        and not _NO_DECISION.match(sentence.text)
        and marked(cleaned(sentence.text)) is None
    )
