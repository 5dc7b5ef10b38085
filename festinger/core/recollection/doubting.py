"""Find lines of a block that a later line of the same block may change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from festinger.core.language.denials import has_value, is_day
from festinger.core.language.marks import SentenceMark
from festinger.core.language.stated_literals import differs
from festinger.core.language.terms import term_set
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.choosing import ChosenLine
from festinger.core.recollection.succession import (
    EarlierLine,
    later_text,
    split_statement,
)
from festinger.core.recollection.weighing import RelevanceWeights

# A time, version or code, which few things share.
_EXACT: Final = re.compile(r"(?=.*\d).*\w[.:/-]\w.*")
# As numbers, since flags are slow to combine.
_CHANGING: Final = int(SentenceMark.CHANGE | SentenceMark.NEGATION)
_LASTING: Final = re.compile(
    r"\bmust (?:never|not|always)\b|\bmustn.?t\b|\b(?:allergic|allergy|intolerant)\b",
    re.IGNORECASE,
)
# "Did prod move?" and "please move prod" change nothing.
_ASKING: Final = int(SentenceMark.QUESTION | SentenceMark.REQUEST)


def told_changes(
    index: LineIndex, choices: Sequence[ChosenLine], weighing: RelevanceWeights
) -> Mapping[int, IndexedLine]:
    """Return the later lines that may change chosen ones, by the place of the choice."""
    changing = [
        line
        for choice in choices
        for line in choice.lines
        if int(line.marks) & _CHANGING and not int(line.marks) & _ASKING
    ]
    told = [line for choice in choices for line in choice.lines]
    found: dict[int, IndexedLine] = {}
    # Most blocks have no words of change.
    for at, choice in enumerate(choices if changing else ()):
        # It is told with its successor already.
        if choice.later is not None:
            continue
        for line in choice.lines:
            # A rule holds until somebody ends it in so many words, and so does an allergy.
            if SentenceMark.INSTRUCTION in line.marks or _LASTING.search(line.content):
                continue
            if later := _likeliest(index, line, changing, told, weighing):
                found[at] = later
    return found


def _likeliest(
    index: LineIndex,
    line: IndexedLine,
    changing: Iterable[IndexedLine],
    told: Sequence[IndexedLine],
    weighing: RelevanceWeights,
) -> IndexedLine | None:
    """Return the line that most likely changes an earlier one; None for none."""
    # Sentences of one turn agree with each other.
    later = [it for it in changing if it.said > line.said and it.digest != line.digest]
    if not later:
        return None
    earlier = EarlierLine(index, line)
    best: IndexedLine | None = None
    likeliest = 0.0
    for each in later:
        # Two statements: the graph knows replacements, except under another predicate.
        if line.origin is not None and each.origin is not None:
            if _gives_another_value(each, line):
                return each
            continue
        if any(_means(it, line, each, told) for it in earlier.denied(each.text)):
            return each
        text = later_text(each, line)
        if not earlier.may_change(text):
            continue
        # Not for a statement, which records what replaced it.
        # Two lines that fit one prompt are likely about one thing: less suffices to doubt one.
        is_said = line.origin is None and each.origin is None
        least = weighing.told_later_from if is_said else weighing.later_from
        probability = earlier.probability(text, weighing)
        if probability >= max(least, likeliest):
            best, likeliest = each, probability
    return best


def _means(
    value: str, line: IndexedLine, later: IndexedLine, told: Sequence[IndexedLine]
) -> bool:
    """Return whether who denies a value means that of a line, without another common word."""
    # "At 05:30 and not 04:30": two lines that fit one prompt are likely about one thing.
    if _EXACT.fullmatch(value):
        return True
    # Days are shared by many things, but not within a block that has one line with it.
    return is_day(value) and not any(
        it.said < later.said
        and it.digest != line.digest
        and has_value(it.content, value)
        for it in told
    )


def _gives_another_value(later: IndexedLine, line: IndexedLine) -> bool:
    """Return whether a statement gives another value for much the same of a subject.

    `Dov: [day-rate-from-may] 400 EUR` may end `Dov: [day-rate] 350 EUR`.
    """
    new, old = split_statement(later.text), split_statement(line.text)
    return (
        bool(later.marks & SentenceMark.CHANGE)
        # The same subject, predicates that share a word, and values of one kind that differ.
        and term_set(new[0]) == term_set(old[0])
        and not term_set(new[1]).isdisjoint(term_set(old[1]))
        and differs(old[2], new[2])
    )
