"""The asker's rules about all answers, which hold whatever a prompt is about (J19).

"Always answer in Dutch" shares no word with a question about Rome, and is meant for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.query import Query
from festinger.core.recollection.scoring import ScoredLine, with_probabilities
from festinger.core.system.principals import is_same

RULES_MAX: Final = 3
"""Maximum number of rules that are told, the newest ones."""
RULE_TOKENS: Final = 60
"""Token budget of the rules, which is taken from that of the block."""


def answer_rules(index: LineIndex, query: Query) -> list[ScoredLine]:
    """Return what the asker wants all answers to be like, the newest first."""
    rules = dict.fromkeys(islice(_rules(index, query), RULES_MAX), 1.0)
    return with_probabilities(index, query, rules)


def _rules(index: LineIndex, query: Query) -> Iterator[IndexedLine]:
    for line in index.sources.standing():
        # What was asked for in another project holds there.
        is_here = not line.project or is_same(line.project, query.project)
        if is_here and is_same(line.speaker, query.asker):
            yield line
