"""Findings of a document that is stored."""

from __future__ import annotations

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import builtin
from festinger.core.review.findings import (
    DocumentPlace,
    StoredChunk,
    Whole,
    divide,
    sweep,
)

RECORD = b"# 7. Queues\n\n## Decision\n\nThe API must use Redis for its queues.\n"


def test_statement_is_found_once():
    """
    A decision that is worded as a rule is the decision only.
    """
    parts = divide(DocumentPlace("shop", "", "adr/7.md"), RECORD, builtin()).chunks
    stored = [StoredChunk(it.id, it.headings, it.text) for it in parts]
    found = sweep(Whole(1, "adr/7.md", "shop", None, stored), builtin()).found

    assert [(it.found.type, it.found.content) for it in found] == [
        (MemoryType.DECISION, "The API must use Redis for its queues")
    ]
