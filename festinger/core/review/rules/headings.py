"""Extractor of headings with a type: `## Decision: Use Postgres`.

Under a plain `## Decision`, as in decision records, the first sentence is the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import (
    ProseExtractor,
    headings,
    passages,
    plain,
    sentences_of,
)
from festinger.core.review.rules.doubts import cleaned, is_content, is_meant
from festinger.core.review.rules.typed import marked

EXTRACTOR_VERSION = "0.1.0"
PRIOR = 0.7

_DECISION = re.compile(r"(?:[\d.]+ +)?decision(?: outcome)?:?", re.IGNORECASE)


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
            end = heading.start + len(source.text[heading.start : heading.end].rstrip())
            yield ExtractorFinding(
                kind, cleaned(content), "heading", PRIOR, (heading.start, end)
            )


def _under(source: ExtractionSource) -> Iterator[ExtractorFinding]:
    for passage in passages(source):
        if not _DECISION.fullmatch(plain(passage.under)):
            continue
        first = next(sentences_of(source, passage), None)
        if first and is_meant(first) and is_content(first.text):
            content = cleaned(first.text)
            if marked(content) is None:
                yield ExtractorFinding(
                    MemoryType.DECISION, content, "heading_section", PRIOR, first.span
                )
