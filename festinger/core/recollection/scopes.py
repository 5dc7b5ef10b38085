"""Scopes of lines: names are global, common nouns are specific to a project (J5).

"The indexer" of one project is not that of another; Kassel is the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Set
from functools import lru_cache
from typing import Final

from festinger.core.language.terms import terms
from festinger.core.lines.line import IndexedLine
from festinger.core.system.principals import plain

ELSEWHERE: Final = 0.3
"""Factor of the probability of a line from another project that shares no name."""
# Up to three words behind a determiner: "the red delivery van". Lower case: no names.
_DETERMINED: Final = re.compile(
    r"\b(?:[Tt]he|[Oo]ur|[Mm]y|[Yy]our|[Tt]heir|[Ii]ts|[Hh]is|[Hh]er|[Aa]n?|[Tt]his"
    r"|[Tt]hat|[Tt]hese|[Tt]hose|[Ee]ach|[Ee]very|[Nn]o)"
    r"\s+((?:[a-z][\w-]*\s+){0,2}[a-z][\w-]*)"
)

_PROPER: Final = re.compile(
    # A capital within a sentence, or a digit beside letters.
    r"(?<![.!?:\n]\s)(?<=\s)[A-ZÀ-Þ][\w-]*|\b(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[\w-]+"
)


def is_elsewhere(line: IndexedLine, project: str) -> bool:
    """Return whether a line was said in another project than this one.

    Args:
        project: The project; empty for none, for which no line counts as elsewhere.
    """
    return bool(line.project and project) and plain(line.project) != plain(project)


# The prompts of a conversation match the same lines.
@lru_cache(maxsize=4_000)
def common_nouns(text: str) -> Set[str]:
    """Return the terms of words behind an article or a possessive."""
    found = _DETERMINED.findall(text)
    return frozenset(term for words in found for term in terms(words))


@lru_cache(maxsize=4_000)
def proper_names(text: str) -> Set[str]:
    """Return the terms of words that are written like names."""
    return frozenset(term for word in _PROPER.findall(text) for term in terms(word))


def shares_name(line: IndexedLine, shared: Collection[str]) -> bool:
    """Return whether a line shares a name with a prompt.

    Args:
        shared: Terms that both contain, without everyday words.
    """
    if not shared:
        return False
    # What stands behind no article in the line counts as a name: "Kassel", "pg14".
    nouns = common_nouns(line.content)
    return any(term not in nouns for term in shared)
