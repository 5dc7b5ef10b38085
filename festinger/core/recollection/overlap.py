"""Resolve overlaps between sentences and the statements that were read from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.terms import term_set
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.listing import is_wrong
from festinger.core.recollection.choosing import ChosenLine, RejectedLine
from festinger.core.recollection.features import LINE, STATEMENT
from festinger.core.recollection.scoring import ScoredLine

REST_MAX: Final = 0.4
"""Maximum share of a redundant sentence's terms that are in no recalled statement."""


def why_unsayable(index: LineIndex, line: IndexedLine) -> str:
    """Return the one-word reason not to recall a line; empty if there is none."""
    if is_wrong(index, line):
        return "wrong"
    if index.sources.is_withdrawn(line):
        return "withdrawn"
    if index.read is None or line.kind is not LineKind.UTTERANCE:
        return ""
    if index.read.ended_in(line):
        # Its words are not true any more; the successor is told in its place (`settle`).
        return "superseded"
    if index.read.contested_in(line):
        # Told as a statement, which shows both sides.
        return "contested"
    return ""


def settle(
    index: LineIndex, scored: Sequence[ScoredLine]
) -> tuple[list[ScoredLine], list[RejectedLine]]:
    """Replace sentences that must not be recalled by statements; return both lists.

    Args:
        scored: Lines, likeliest first.

    Returns:
        The lines with the replacements, and the replaced sentences.
    """
    if not index.read:
        return list(scored), []
    own = {each.line.number: each for each in scored}
    rejected: list[RejectedLine] = []
    # A dict keeps the order of likelihood, and each line once.
    left: dict[int, ScoredLine] = {}
    for each in scored:
        why = why_unsayable(index, each.line)
        if not why:
            # A line that already replaces a likelier one keeps that probability.
            left.setdefault(each.line.number, each)
            continue
        rejected.append(RejectedLine(each, why))
        for line in held_instead(index, each.line):
            # It may be a candidate itself, with features of its own.
            instead = own.get(line.number) or _in_place_of(each, line)
            # The prompt asked in the words of the sentence: they speak for what replaced it.
            likely = max(each.probability, instead.probability)
            left.setdefault(line.number, instead._replace(probability=likely))
    return list(left.values()), rejected


def _in_place_of(sentence: ScoredLine, statement: IndexedLine) -> ScoredLine:
    """Return the score of a statement that shares no terms with the prompt itself.

    It is the score of the sentence in whose place the statement is recalled.
    """
    own, embedded = sentence.values[: len(LINE)], sentence.values[len(LINE) :]
    # Features of statements are 0; those of embeddings stay behind them.
    values = [*own, *[0.0] * (len(STATEMENT) - len(LINE)), *embedded]
    return sentence._replace(line=statement, values=values)


def held_instead(index: LineIndex, line: IndexedLine) -> Iterable[IndexedLine]:
    """Yield the statements that are recalled in place of a sentence."""
    if index.read is None:
        return
    for ended in index.read.ended_in(line):
        yield from index.read.successor_of(ended.number)
    yield from index.read.contested_in(line)


class StatementOverlap:
    """Function that finds lines made redundant by those that are recalled."""

    def __init__(self, index: LineIndex) -> None:
        self._index = index
        self._told: set[int] = set()

    def __call__(self, choice: ChosenLine) -> set[int]:
        """Return the numbers of lines made redundant by this choice and earlier ones."""
        read = self._index.read
        if not read:
            return set()
        # A sentence makes all statements redundant that were read from it.
        if choice.found.line.origin is None:
            lines = [*choice.lines, *([choice.later] if choice.later else [])]
            return {it.number for line in lines for it in read.read_from(line)}
        self._told.add(choice.found.line.number)
        sentences = self._index.sources.sentences_of(choice.found.line)
        # A statement makes its sentence redundant only if little is left beside all that is told.
        return {it.number for it in sentences if self._is_all_told(it)}

    def _is_all_told(self, line: IndexedLine) -> bool:
        read = self._index.read
        words = term_set(line.content)
        # Nothing is lost of a sentence without terms.
        if not read or not words:
            return True
        rest = set(words)
        for each in read.read_from(line):
            if each.number in self._told and each.origin is not None:
                rest -= term_set(each.text) | term_set(_read_of(each.origin))
        # A number that no statement has is most likely what one was not read from.
        if any(map(str.isdigit, "".join(rest))):
            return False
        return len(rest) <= REST_MAX * len(words)


def _read_of(origin: StatementOrigin) -> str:
    """Return the words that a statement was read from, as far as they are known."""
    # Rules quote the whole sentence, although they may have read only one clause.
    return origin.quote if origin.reader is StatementReader.MODEL else ""
