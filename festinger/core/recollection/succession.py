"""Find what was said later about the same thing, so that nobody is told half of it.

A line that says "prod is on pg 14" is never told without the one that says, later, "prod
db is on postgres 16 now": whoever reads both knows which holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from festinger._fast.values import LENGTH_MEAN, SATURATION
from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import terms
from festinger.core.language.utterances import Utterance
from festinger.core.recollection.index import (
    HEADING_WEIGHT,
    IndexedLine,
    LineIndex,
    LineKind,
    LineMatch,
)
from festinger.core.recollection.scopes import is_elsewhere, proper_names
from festinger.core.recollection.weighing import Weighing

STATED_MAX: Final = 12
"""Sentences of a prompt that may change what was said before, the last ones."""
TERMS_MAX: Final = 16
"""Terms of a line by which its successors are looked for, the rarest."""
READ_MAX: Final = 4_000
"""Lines that have them, together: a term that so many have finds no successor."""
CANDIDATES_MAX: Final = 12
"""Later lines that are weighed."""
NEAR_LINES: Final = 30.0
"""Lines after which one is half as near."""


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


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence that somebody says just now, that may change what was said before.

    Attributes:
        counts: How often it has each term.
        length: Terms of it.
    """

    counts: Mapping[str, int]
    length: int
    marks: SentenceMark


def stated_in(utterances: Iterable[Utterance]) -> list[Stated]:
    """Return those of some utterances that may change what was said before.

    Args:
        utterances: The last `STATED_MAX` count.
    """
    changing, asking = (
        SentenceMark.CHANGE | SentenceMark.NEGATION,
        SentenceMark.QUESTION,
    )
    found: list[Stated] = []
    for each in utterances:
        if each.marks & changing and not each.marks & asking:
            words = terms(f"{each.answers} {each.text}")
            found.append(Stated(Counter(words), len(words), each.marks))
    return found[-STATED_MAX:]


def replaced_by(
    index: LineIndex, line: IndexedLine, stated: Iterable[Stated], weighing: Weighing
) -> bool:
    """Return whether somebody who says this would change what a line says.

    Args:
        stated: What is said just now, in the line's project by its own speaker.
        weighing: What later lines are judged by.
    """
    counts = _counts(line)
    for each in stated:
        shared = counts.keys() & each.counts.keys()
        if not shared:
            continue
        score = _score([(it, counts[it], _rarity(index, it)) for it in shared], each)
        values = _values(score, each.marks, 1.0, 1.0, 1.0)
        if weighing.successor.probability(values) >= weighing.later_from:
            return True
    return False


def values_of_later(line: IndexedLine, later: LineMatch) -> tuple[float, ...]:
    """Return the features of a later line that may change what a line says."""
    return _values(
        later.score,
        later.line.marks,
        float(later.line.speaker.casefold() == line.speaker.casefold()),
        float(later.line.project.casefold() == line.project.casefold()),
        1 / (1 + (later.line.number - line.number) / NEAR_LINES),
    )


def _values(
    score: float,
    marks: SentenceMark,
    same_speaker: float,
    same_project: float,
    near: float,
) -> tuple[float, ...]:
    return (
        score,
        float(SentenceMark.CHANGE in marks),
        float(SentenceMark.NEGATION in marks),
        float(SentenceMark.HEDGE in marks),
        same_speaker,
        same_project,
        near,
    )


def _rarest_terms(index: LineIndex, line: IndexedLine) -> list[tuple[str, float]]:
    """Return the rarest terms of a line, each with its weight."""
    counts = _counts(line)
    if len(counts) <= TERMS_MAX:
        return list(counts.items())
    return sorted(counts.items(), key=lambda it: index.frequency(it[0]))[:TERMS_MAX]


def _counts(line: IndexedLine) -> dict[str, float]:
    """Return the terms of a line with their weights."""
    counts = dict.fromkeys(terms(line.content), 1.0)
    if line.heading:
        for term in terms(line.heading):
            counts.setdefault(term, HEADING_WEIGHT)
    return counts


def _rarity(index: LineIndex, term: str) -> float:
    having = index.frequency(term)
    return log(1 + (index.counted - having + 0.5) / (having + 0.5))


def _score(shared: Iterable[tuple[str, float, float]], stated: Stated) -> float:
    """Return what BM25 would give a line that says this.

    Args:
        shared: The terms that both have, each with its weight and its rarity.
    """
    counts = stated.counts
    length = SATURATION * (0.6 + 0.4 * stated.length / LENGTH_MEAN)
    return sum(
        weight * rarity * counts[term] * (SATURATION + 1) / (counts[term] + length)
        for term, weight, rarity in shared
    )
