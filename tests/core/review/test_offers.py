from __future__ import annotations

from dataclasses import replace

from festinger.core.memories.types import MemoryKind, MemoryType
from festinger.core.review.extractors import ExtractorFinding
from festinger.core.review.findings import ChunkFinding, StoredChunk, StoredDocument
from festinger.core.review.offers import QUOTE_CHARACTERS, offers
from festinger.core.review.queue import KnownTexts
from festinger.core.review.records import Origin, ProposedRecord

CHOSEN = "we chose Postgres for storage"
BEFORE = "Considering everything beforehand, " * 20
BEHIND = " notwithstanding considerable objections" * 20


def origin(text, span):
    """Return the place of a finding in a text, as a reviewer is shown it."""
    found = ExtractorFinding(MemoryType.DECISION, CHOSEN, "said", 0.7, span)
    whole = StoredDocument(1, "a.md", "", None, [StoredChunk("c1", (), text)])
    (offer,), _ = offers(
        whole, [ChunkFinding("c1", "rules", "1", found)], KnownTexts(), now=0.0
    )
    return offer.origin


def words_of(text):
    """Return the words of a text, each as it stands there."""
    return set(text.split())


def test_quote_begins_and_ends_with_words():
    """Out of the middle of a long line, with the match where it says."""
    text = f"{BEFORE}{CHOSEN}{BEHIND}"
    first = len(BEFORE)

    found = origin(text, (first, first + len(CHOSEN)))

    assert QUOTE_CHARACTERS - 50 < len(found.quote) <= QUOTE_CHARACTERS
    assert found.quote in text
    assert words_of(found.quote) <= words_of(text)
    assert found.quote[slice(*found.quote_span)] == CHOSEN


def test_long_match_ends_with_a_word():
    """A finding may be longer than the part of it that is shown."""
    text = f"{CHOSEN}{BEHIND}"

    found = origin(text, (0, len(text)))

    assert len(found.quote) <= QUOTE_CHARACTERS
    assert words_of(found.quote) <= words_of(text)
    assert found.quote[slice(*found.quote_span)] == found.quote


def test_key_of_duplicates():
    """Case, blanks and the last stop do not tell two candidates apart; type and project do."""
    one = ProposedRecord(
        MemoryKind.MEMORY,
        MemoryType.DECISION,
        "Use  Postgres.",
        Origin(),
        0.7,
        "rules",
        project="shop",
    )

    assert one.key == replace(one, content="use postgres").key
    assert one.key != replace(one, type=MemoryType.REQUIREMENT).key
    assert one.key != replace(one, project="blog").key
