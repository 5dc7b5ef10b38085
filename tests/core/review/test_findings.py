"""Findings of a document that is stored."""

from __future__ import annotations

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import builtin
from festinger.core.review.findings import (
    DocumentPlace,
    divide,
    sweep,
    whole_of,
)

RECORD = b"# 7. Queues\n\n## Decision\n\nThe API must use Redis for its queues.\n"


def test_statement_is_found_once():
    """A decision that is worded as a rule is the decision only."""
    place = DocumentPlace("shop", "", "adr/7.md")
    parts = divide(place, RECORD, builtin()).chunks
    found = sweep(whole_of(place, parts), builtin()).found

    assert [(it.found.type, it.found.content) for it in found] == [
        (MemoryType.DECISION, "The API must use Redis for its queues")
    ]
