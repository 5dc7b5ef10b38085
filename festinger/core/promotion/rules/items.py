"""List items and paragraphs with a type: `- [Decision] Use Postgres`."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.promotion.extractors import Found, Source
from festinger.core.promotion.prose import is_prose, passages, statement
from festinger.core.promotion.rules.doubts import cleaned, is_content
from festinger.core.promotion.rules.typed import marked

EXTRACTOR_VERSION = "0.1.0"
PRIOR = 0.65


class Items:
    """Reads typed list items, and paragraphs that begin like one."""

    name = "items"
    version = EXTRACTOR_VERSION
    whole = False

    def wants(self, path: str) -> bool:
        """Documents in prose."""
        return is_prose(path)

    def extract(self, source: Source) -> Sequence[Found]:
        """What is marked as something, in the order of the text."""
        found: list[Found] = []
        for passage in passages(source):
            said = statement(source, passage)
            mark = marked(said.text) if said else None
            if said and mark and is_content(mark[1]):
                kind, content = mark
                found.append(Found(kind, cleaned(content), "item", PRIOR, said.span))
        return found
