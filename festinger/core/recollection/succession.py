"""Find what was said later about the same thing, so that nobody is told half of it.

A line that says "prod is on pg 14" is never told without the one that says, later, "prod
db is on postgres 16 now": whoever reads both knows which holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import terms
from festinger.core.lines.index import (
    HEADING_WEIGHT,
    IndexedLine,
    LineIndex,
    LineKind,
    LineMatch,
)
from festinger.core.recollection.scopes import is_elsewhere, proper_names
from festinger.core.recollection.weighing import Weighing

TERMS_MAX: Final = 16
"""Terms of a line by which its successors are looked for, the rarest."""
READ_MAX: Final = 4_000
"""Lines that have them, together: a term that so many have finds no successor."""
CANDIDATES_MAX: Final = 12
"""Later lines that are weighed."""
NEAR_LINES: Final = 30.0
"""Lines after which one is half as near."""
_MARKS: Final = tuple(
    int(it) for it in (SentenceMark.CHANGE, SentenceMark.NEGATION, SentenceMark.HEDGE)
)
"""In the order of their features."""


def successor_of(
    index: LineIndex, line: IndexedLine, weighing: Weighing, after: int = 0
) -> IndexedLine | None:
    """Return the later line that most likely changes what a line says; None for none.

    Args:
        weighing: What later lines are judged by.
        after: The number of a turn; only what was said in those after it is looked at.
    """
    if line.kind is not LineKind.UTTERANCE:
        return None
    threshold = weighing.later_from
    best: IndexedLine | None = None
    for match in later_lines(index, line):
        if after and int(str(match.line.key)) <= after:
            continue
        if is_elsewhere(match.line, line.project) and not _is_of_same(line, match.line):
            continue
        probability = weighing.successor.probability(values_of_later(line, match))
        if probability >= threshold:
            best, threshold = match.line, probability
    return best


def _is_of_same(line: IndexedLine, later: IndexedLine) -> bool:
    """Return whether lines of two projects may be about the same: they share a name."""
    names = proper_names(line.content) | proper_names(later.content)
    return any(it in names for it in {*terms(line.content)} & {*terms(later.content)})


def later_lines(index: LineIndex, line: IndexedLine) -> list[LineMatch]:
    """Return lines of later turns that share terms with a line, the best first."""
    found = index.search(
        _rarest_terms(index, line),
        line.project,
        CANDIDATES_MAX,
        after=line,
        read_max=READ_MAX,
    )
    return [match for match in found if match.line.kind is LineKind.UTTERANCE]


def values_of_later(line: IndexedLine, later: LineMatch) -> tuple[float, ...]:
    """Return the features of a later line that may change what a line says."""
    return values_of(
        later.score,
        later.line.marks,
        float(_is_same(later.line.speaker, line.speaker)),
        float(_is_same(later.line.project, line.project)),
        1 / (1 + (later.line.number - line.number) / NEAR_LINES),
    )


def values_of(
    score: float,
    marks: SentenceMark,
    same_speaker: float,
    same_project: float,
    near: float,
) -> tuple[float, ...]:
    """Return the features of what may change a line (`features.SUCCESSOR`).

    Args:
        score: BM25 of the terms that it shares with the line.
        same_speaker: 1 if whoever said the line says it, else 0.
        same_project: 1 if it is said where the line was, else 0.
        near: From 1, right behind the line, towards 0.
    """
    marked = _values_of_marks(int(marks))
    return (score, *marked, same_speaker, same_project, near)


@lru_cache(maxsize=1024)
def _values_of_marks(marks: int) -> tuple[float, ...]:
    return tuple(1.0 if marks & it else 0.0 for it in _MARKS)


def _is_same(one: str, other: str) -> bool:
    return one == other or one.casefold() == other.casefold()


def _rarest_terms(index: LineIndex, line: IndexedLine) -> list[tuple[str, float]]:
    """Return the rarest terms of a line, each with its weight."""
    counts = terms_of_line(line)
    if len(counts) <= TERMS_MAX:
        return list(counts.items())
    return sorted(counts.items(), key=lambda it: index.frequency(it[0]))[:TERMS_MAX]


def terms_of_line(line: IndexedLine) -> Mapping[str, float]:
    """Return the terms of a line with their weights."""
    return _terms_of_text(line.content, line.heading)


@lru_cache(maxsize=1024)
def _terms_of_text(content: str, heading: str) -> Mapping[str, float]:
    """Return the terms of a line's text; a prompt asks for those of a line three times."""
    counts = dict.fromkeys(terms(content), 1.0)
    for term in terms(heading) if heading else ():
        counts.setdefault(term, HEADING_WEIGHT)
    return counts
