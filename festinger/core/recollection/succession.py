"""Find later lines that change an earlier one, so that both are recalled together.

A line that says "prod is on pg 14" is never recalled without a later one that says
"prod db is on postgres 16 now": a reader of both knows which one holds.
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
"""Maximum number of terms in a search for successors, the rarest ones."""
READ_MAX: Final = 4_000
"""Maximum number of postings read: more frequent terms do not find a successor."""
CANDIDATES_MAX: Final = 12
"""Maximum number of later lines that are scored."""
NEAR_LINES: Final = 30.0
"""Number of lines after which the nearness of a line is one half."""
_MARKS: Final = tuple(
    int(it) for it in (SentenceMark.CHANGE, SentenceMark.NEGATION, SentenceMark.HEDGE)
)
"""Marks in the order of their features."""


def successor_of(
    index: LineIndex, line: IndexedLine, weighing: Weighing, after: int = 0
) -> IndexedLine | None:
    """Return the later line that most likely changes a line; None for none.

    Args:
        index: The index.
        line: The line.
        weighing: Model that judges later lines.
        after: Id of a turn; only later turns are considered.
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
    """Return whether lines of two projects share a name, and so possibly a topic."""
    names = proper_names(line.content) | proper_names(later.content)
    return any(it in names for it in {*terms(line.content)} & {*terms(later.content)})


def later_lines(index: LineIndex, line: IndexedLine) -> list[LineMatch]:
    """Return lines of later turns that share terms with a line, best first."""
    found = index.search(
        _rarest_terms(index, line),
        line.project,
        CANDIDATES_MAX,
        after=line,
        read_max=READ_MAX,
    )
    return [match for match in found if match.line.kind is LineKind.UTTERANCE]


def values_of_later(line: IndexedLine, later: LineMatch) -> tuple[float, ...]:
    """Return the features of a later line that may change a line."""
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
    """Return the features of a text that may change a line (`features.SUCCESSOR`).

    Args:
        score: BM25 score of the terms that it shares with the line.
        marks: Marks of the text.
        same_speaker: 1 if both have the same speaker, else 0.
        same_project: 1 if both have the same project, else 0.
        near: Nearness: from 1, right behind the line, towards 0.
    """
    marked = _values_of_marks(int(marks))
    return (score, *marked, same_speaker, same_project, near)


@lru_cache(maxsize=1024)
def _values_of_marks(marks: int) -> tuple[float, ...]:
    return tuple(1.0 if marks & it else 0.0 for it in _MARKS)


def _is_same(one: str, other: str) -> bool:
    return one == other or one.casefold() == other.casefold()


def _rarest_terms(index: LineIndex, line: IndexedLine) -> list[tuple[str, float]]:
    """Return the rarest terms of a line with their weights."""
    counts = terms_of_line(line)
    if len(counts) <= TERMS_MAX:
        return list(counts.items())
    return sorted(counts.items(), key=lambda it: index.frequency(it[0]))[:TERMS_MAX]


def terms_of_line(line: IndexedLine) -> Mapping[str, float]:
    """Return the terms of a line with their weights."""
    return _terms_of_text(line.content, line.heading)


@lru_cache(maxsize=1024)
def _terms_of_text(content: str, heading: str) -> Mapping[str, float]:
    """Return the terms of a line's text, cached since a prompt uses them thrice."""
    counts = dict.fromkeys(terms(content), 1.0)
    for term in terms(heading) if heading else ():
        counts.setdefault(term, HEADING_WEIGHT)
    return counts
