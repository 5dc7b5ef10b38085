"""How likely each line helps with a prompt: features, weighed by a logistic function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

from festinger.core.language.marks import Mark
from festinger.core.language.terms import terms
from festinger.core.recollection.features import LINE
from festinger.core.recollection.index import IndexedLine, LineIndex, Match
from festinger.core.recollection.query import Query
from festinger.core.recollection.weighing import Logistic

RECENT_LINES: Final = 40.0
"""Lines after which one counts as half as recent."""


@dataclass(frozen=True, slots=True)
class Scored:
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
    matches = index.search(query.wanted, query.project)
    scored = [
        Scored(match.line, line.probability(values), values, match.shared)
        for match, values in zip(matches, values_of(index, query, matches), strict=True)
    ]
    # Of lines that are as likely, the newer one.
    scored.sort(key=lambda it: (it.probability, it.line.number), reverse=True)
    return scored


def values_of(
    index: LineIndex, query: Query, matches: Sequence[Match]
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
    turns = _terms_of_turns(index, query, matches)
    asked = set(query.terms)
    outdated = _outdated(matches, worth)
    found: list[tuple[float, ...]] = []
    for match, late in zip(matches, outdated, strict=True):
        line, shared = match.line, match.shared
        around = turns[line.kind, line.key] & ~shared
        marks = line.marks
        found.append(
            (
                match.score,
                _sum(worth, around),
                _sum(worth, shared) / whole,
                _sum(rare, shared) / whole_rare,
                max((query.idf[at] for at in _bits(shared)), default=0.0),
                float(bool(query.project) and _is_same(line.project, query.project)),
                float(bool(line.speaker) and _is_same(line.speaker, query.asker)),
                float(bool(line.speaker) and _name(line.speaker) in asked),
                float(Mark.QUESTION in marks),
                float(Mark.REQUEST in marks),
                float(Mark.CHANGE in marks),
                float(Mark.NEGATION in marks),
                float(Mark.KNOWLEDGE in marks),
                float(Mark.NUMBER in marks),
                float(Mark.HEDGE in marks),
                1 / (1 + index.age_of(line) / RECENT_LINES),
                log(1 + len(line.text.split())),
                late,
            )
        )
    return found


def _terms_of_turns(
    index: LineIndex, query: Query, matches: Sequence[Match]
) -> dict[tuple[Any, Any], int]:
    """Return which terms of the query the other lines of each turn have, as bits."""
    found: dict[tuple[Any, Any], int] = {}
    for match in matches:
        source = match.line.kind, match.line.key
        if source not in found:
            words: set[str] = set()
            for line in index.lines_of(*source):
                words.update(terms(line.content), terms(line.heading))
            found[source] = query.shared(words)
    return found


def _outdated(matches: Sequence[Match], worth: Sequence[float]) -> list[float]:
    """Return how far a later line that speaks of a change shares what a line matched by."""
    changes = [match for match in matches if Mark.CHANGE in match.line.marks]
    outdated = []
    for match in matches:
        whole = _sum(worth, match.shared) or 1.0
        outdated.append(
            max(
                (
                    _sum(worth, match.shared & other.shared) / whole
                    for other in changes
                    if other.line.number > match.line.number
                    and other.line.key != match.line.key
                    and (
                        _is_same(other.line.project, match.line.project)
                        or not (other.line.project and match.line.project)
                    )
                ),
                default=0.0,
            )
        )
    return outdated


def _bits(mask: int) -> list[int]:
    return [at for at in range(mask.bit_length()) if mask >> at & 1]


def _sum(values: Sequence[float], mask: int) -> float:
    return sum(values[at] for at in _bits(mask))


def _is_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _name(name: str) -> str:
    """Return the term of somebody's first name; empty if there is none."""
    found = terms(name.replace("-", " ").replace("_", " "))
    return found[0] if found else ""
