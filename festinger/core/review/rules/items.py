"""Extractor of list items and paragraphs with a type: `- [Decision] Use Postgres`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import (
    SENTENCE_CHARACTERS_MAX,
    Paragraph,
    PlainSentence,
    ProseExtractor,
    passages,
    plain,
    statement,
)
from festinger.core.review.rules.doubts import cleaned, is_content
from festinger.core.review.rules.sentences import marked

EXTRACTOR_VERSION = "0.2.0"
PRIOR = 0.65  # explicit, but often within looser prose

_LINE = re.compile(r"[^\r\n]+")


class Items(ProseExtractor):
    """Extractor of typed list items, and of paragraphs that begin like one."""

    name = "items"
    version = EXTRACTOR_VERSION

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the items with a type, in the order of the text."""
        return [
            found
            for passage in passages(source)
            for part in _parts(source, passage)
            if (found := _read(statement(source, part)))
        ]


def _parts(source: ExtractionSource, passage: Paragraph) -> list[Paragraph]:
    """Return each marked line of a paragraph as a part of its own, as in notes."""
    lines = [
        replace(
            passage, start=passage.start + line.start(), end=passage.start + line.end()
        )
        for line in _LINE.finditer(source.text[passage.start : passage.end])
    ]
    marks = [line for line in lines if _is_marked(source.text[line.start : line.end])]
    # A single mark at the begin: the other lines continue that statement.
    alone = len(marks) == 1 and marks[0].start == passage.start
    return [passage] if alone or not marks else marks


def _is_marked(line: str) -> bool:
    # Emphasis around the marker is markup: "- **Decision:** …".
    return marked(plain(line[:SENTENCE_CHARACTERS_MAX])) is not None


def _read(sentence: PlainSentence | None) -> ExtractorFinding | None:
    mark = marked(sentence.text) if sentence else None
    if sentence is None or mark is None or not is_content(mark[1]):
        return None
    kind, content = mark
    # "Measurement: fast" measures nothing.
    if kind is MemoryType.MEASUREMENT and not re.search(r"\d", content):
        return None
    return ExtractorFinding(kind, cleaned(content), "item", PRIOR, sentence.span)
