"""Find what was said later about the same thing, so that nobody is told half of it.

A line that says "prod is on pg 14" is never told without the one that says, later, "prod
db is on postgres 16 now": whoever reads both knows which holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log
from typing import Final

from festinger._fast.values import LENGTH_MEAN, SATURATION
from festinger.core.language.marks import Mark
from festinger.core.language.terms import terms
from festinger.core.language.utterances import Utterance
from festinger.core.recollection.index import (
    HEADING_WEIGHT,
    IndexedLine,
    LineIndex,
    LineKind,
    Match,
)
from festinger.core.recollection.scopes import is_elsewhere, proper_names
from festinger.core.recollection.weighing import Weighing

TERMS_MAX: Final = 24
"""Terms of a line by which its successors are looked for, the rarest."""
LOOKED_AT: Final = 48
"""Lines that share most with it, among which later ones are looked for."""
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


def later_lines(index: LineIndex, line: IndexedLine) -> list[Match]:
    """Return lines of later turns that share terms with a line, the best first."""
    wanted = [(term, weight) for term, weight, _ in _rarest_terms(index, line)]
    found = index.search(wanted, line.project, LOOKED_AT)
    later = [
        match
        for match in found
        if match.line.kind is LineKind.UTTERANCE
        and match.line.number > line.number
        and match.line.key != line.key
    ]
    return later[:CANDIDATES_MAX]


def replaced_by(
    index: LineIndex,
    line: IndexedLine,
    utterances: Iterable[Utterance],
    weighing: Weighing,
) -> bool:
    """Return whether somebody who says this would change what a line says.

    Args:
        utterances: What is said just now, in the line's project by its own speaker.
        weighing: What later lines are judged by.
    """
    threshold = weighing.later_from
    wanted = _rarest_terms(index, line)
    for utterance in utterances:
        marks = utterance.marks
        if not marks & (Mark.CHANGE | Mark.NEGATION) or Mark.QUESTION in marks:
            continue
        values = _values(_score(wanted, utterance), marks, 1.0, 1.0, 1.0)
        if weighing.successor.probability(values) >= threshold:
            return True
    return False


def values_of_later(line: IndexedLine, later: Match) -> tuple[float, ...]:
    """Return the features of a later line that may change what a line says."""
    return _values(
        later.score,
        later.line.marks,
        float(later.line.speaker.casefold() == line.speaker.casefold()),
        float(later.line.project.casefold() == line.project.casefold()),
        1 / (1 + (later.line.number - line.number) / NEAR_LINES),
    )


def _values(
    score: float, marks: Mark, same_speaker: float, same_project: float, near: float
) -> tuple[float, ...]:
    return (
        score,
        float(Mark.CHANGE in marks),
        float(Mark.NEGATION in marks),
        float(Mark.HEDGE in marks),
        same_speaker,
        same_project,
        near,
    )


def _rarest_terms(
    index: LineIndex, line: IndexedLine
) -> list[tuple[str, float, float]]:
    """Return the rarest terms of a line, each with its weight and its rarity."""
    counts = dict.fromkeys(terms(line.content), 1.0)
    for term in terms(line.heading):
        counts.setdefault(term, HEADING_WEIGHT)
    size = index.counted
    having = {term: index.frequency(term) for term in counts}
    weighed = [
        (term, weight, log(1 + (size - having[term] + 0.5) / (having[term] + 0.5)))
        for term, weight in counts.items()
    ]
    weighed.sort(key=lambda it: it[2], reverse=True)
    return weighed[:TERMS_MAX]


def _score(wanted: Iterable[tuple[str, float, float]], utterance: Utterance) -> float:
    """Return what BM25 would give a line that says this."""
    counts = Counter(terms(f"{utterance.answers} {utterance.text}"))
    length = SATURATION * (0.6 + 0.4 * counts.total() / LENGTH_MEAN)
    return sum(
        weight * rarity * counts[term] * (SATURATION + 1) / (counts[term] + length)
        for term, weight, rarity in wanted
        if term in counts
    )
