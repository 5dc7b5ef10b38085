"""The asker's rules about all answers, which hold whatever a prompt is about (J19).

"Always answer in Dutch" shares no word with a question about Rome, and is meant for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from festinger.core.language.answerstyle import aspects_of, scope_of
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.query import Query
from festinger.core.recollection.scoring import ScoredLine, with_probabilities
from festinger.core.system.principals import is_same

RULES_MAX: Final = 3
"""Maximum number of rules that are told, the newest ones."""
RULES_READ_MAX: Final = 24
"""Maximum number of rules that are compared, the newest ones."""
RULE_TOKENS: Final = 60
"""Token budget of the rules, which is taken from that of the block."""


def answer_rules(index: LineIndex, query: Query) -> tuple[list[ScoredLine], set[int]]:
    """Return what the asker wants all answers to be like, the newest first.

    Returns:
        The rules that hold, and the numbers of lines with rules that do not any more.
    """
    rules: dict[IndexedLine, float] = {}
    replaced: set[int] = set()
    settled: set[str] = set()
    for line in islice(_said(index, query), RULES_READ_MAX):
        # "When I ask for recipes write grams" holds for these alone.
        if scope := scope_of(line.content):
            if len(rules) < RULES_MAX and not scope.isdisjoint(query.terms):
                rules[line] = 1.0
            continue
        aspects = aspects_of(line.content)
        # "Answer in English from now on" ends "always answer in Dutch".
        if aspects and aspects <= settled:
            replaced.add(line.number)
        elif len(rules) < RULES_MAX:
            rules[line] = 1.0
        settled |= aspects
    return with_probabilities(index, query, rules), replaced


def _said(index: LineIndex, query: Query) -> Iterator[IndexedLine]:
    for line in index.sources.standing():
        # What was asked for in another project holds there.
        is_here = not line.project or is_same(line.project, query.project)
        if is_here and is_same(line.speaker, query.asker):
            yield line
