"""How likely each line helps with a prompt: features, weighed by a logistic function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from typing import Final, NamedTuple

from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import terms
from festinger.core.recollection.features import LINE
from festinger.core.recollection.index import (
    IndexedLine,
    LineIndex,
    LineMatch,
)
from festinger.core.recollection.query import Query
from festinger.core.recollection.scopes import ELSEWHERE, is_elsewhere, shares_name
from festinger.core.recollection.weighing import Logistic

_MARKS: Final = tuple(
    int(it)
    for it in (
        SentenceMark.QUESTION,
        SentenceMark.REQUEST,
        SentenceMark.CHANGE,
        SentenceMark.NEGATION,
        SentenceMark.KNOWLEDGE,
        SentenceMark.NUMBER,
        SentenceMark.HEDGE,
    )
)
"""In the order of their features."""
RECENT_LINES: Final = 40.0
"""Lines after which one counts as half as recent."""


class Scored(NamedTuple):
    """A line, how likely it helps, and why.

    Attributes:
        values: Of its features, in the order of `features.LINE`.
        shared: Terms of the query that it has: bit `i` for term `i`.
    """

    line: IndexedLine
    probability: float
    values: Sequence[float]
    shared: int

    @property
    def features(self) -> Mapping[str, float]:
        """Its features by name."""
        return dict(zip(LINE, self.values, strict=True))


def score(index: LineIndex, query: Query, line: Logistic) -> list[Scored]:
    """Return the lines that may help, the likeliest first.

    Args:
        line: What lines are judged by.
    """
    matches = [
        *index.search(query.wanted, query.project, around=True),
        *index.facts(query.named, query.asker, query.names),
    ]
    scored = []
    for match, values in zip(matches, values_of(index, query, matches), strict=True):
        probability = line.probability(values)
        if is_elsewhere(match.line, query.project):
            probability *= _nearness(query, match)
        scored.append(Scored(match.line, probability, values, match.shared))
    # Of lines that are as likely, the newer one.
    scored.sort(key=lambda it: (it.probability, it.line.number), reverse=True)
    return scored


def _nearness(query: Query, match: LineMatch) -> float:
    """Return 1, or less if a line of another project shares no name (J5)."""
    shared = [query.terms[at] for at in _bits(match.shared)]
    everyday = [term for term in shared if query.is_everyday(term)]
    return 1.0 if shares_name(match.line, shared, everyday) else ELSEWHERE


def values_of(
    index: LineIndex, query: Query, matches: Sequence[LineMatch]
) -> list[tuple[float, ...]]:
    """Return the features of lines that share terms with a query (`features.LINE`).

    Args:
        matches: The best first; some features are relative to the others.
    """
    if not matches:
        return []
    worth = [w * it for w, it in zip(query.weights, query.idf, strict=True)]
    rare = [w * it for w, it in zip(query.weights, query.rarities, strict=True)]
    whole, whole_rare = sum(worth) or 1.0, sum(rare) or 1.0
    outdated = _outdated(matches, worth)
    # Few people speak in few projects.
    speakers = {
        it: _values_of_speaker(query, it) for it in {it.line.speaker for it in matches}
    }
    projects = {
        it: 1.0 if it and it.casefold() == query.project.casefold() else 0.0
        for it in {it.line.project for it in matches}
    }
    found: list[tuple[float, ...]] = []
    for match, late in zip(matches, outdated, strict=True):
        line, covered, covered_rare, rarest = match.line, 0.0, 0.0, 0.0
        for at in _bits(match.shared):
            covered += worth[at]
            covered_rare += rare[at]
            rarest = max(rarest, query.idf[at])
        around = match.around & ~match.shared
        found.append(
            (
                match.score,
                sum([worth[at] for at in _bits(around)]) if around else 0.0,
                covered / whole,
                covered_rare / whole_rare,
                rarest,
                projects[line.project],
                *speakers[line.speaker],
                *_values_of_marks(int(line.marks)),
                1 / (1 + index.age_of(line) / RECENT_LINES),
                log(1 + line.text.count(" ") + 1),
                late,
            )
        )
    return found


def _values_of_speaker(query: Query, speaker: str) -> tuple[float, float]:
    """Return whether a line's speaker is the asker, and whether the prompt names them."""
    name = speaker.casefold()
    return (
        1.0 if name and name == query.asker.casefold() else 0.0,
        1.0 if name and _first_name(name) in query.terms else 0.0,
    )


@lru_cache(maxsize=1024)
def _values_of_marks(marks: int) -> tuple[float, ...]:
    return tuple(1.0 if marks & it else 0.0 for it in _MARKS)


def _outdated(matches: Sequence[LineMatch], worth: Sequence[float]) -> list[float]:
    """Return how far a later line that speaks of a change shares what a line matched by."""
    change = int(SentenceMark.CHANGE)
    changes = [match for match in matches if int(match.line.marks) & change]
    outdated = []
    for match in matches:
        line, most = match.line, 0.0
        for other in changes:
            both = match.shared & other.shared
            if (
                both
                and other.line.number > line.number
                and other.line.key != line.key
                and _is_near(other.line.project, line.project)
            ):
                most = max(most, sum([worth[at] for at in _bits(both)]))
        whole = sum([worth[at] for at in _bits(match.shared)]) if most else 0.0
        outdated.append(most / (whole or 1.0))
    return outdated


def _is_near(one: str, other: str) -> bool:
    """Return whether two projects are one, or nobody says of both what they are."""
    return one == other or not (one and other) or one.casefold() == other.casefold()


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)


@lru_cache(maxsize=4096)
def _first_name(name: str) -> str:
    """Return the term of somebody's first name; empty if there is none."""
    found = terms(name.replace("-", " ").replace("_", " "))
    return found[0] if found else ""
