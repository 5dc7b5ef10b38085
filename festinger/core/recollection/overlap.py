"""What sentences and the statements that were read from them say twice, or no longer.

Nobody is told both a sentence and a statement that says the same; nor a sentence of which
a statement was read that holds no more, or that is contested: they are told what holds
instead, or the statement with its doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.terms import terms
from festinger.core.lines.index import IndexedLine, LineIndex, LineKind
from festinger.core.recollection.choosing import ChosenLine, Rejected
from festinger.core.recollection.features import LINE, STATEMENT
from festinger.core.recollection.scoring import Scored

REST_MAX: Final = 0.4
"""Of a sentence's terms: so many that no statement has are not worth a line."""


def why_unsayable(index: LineIndex, line: IndexedLine) -> str:
    """Return why a sentence must not be told as it is, in one word; empty if it may."""
    if index.read is None or line.kind is not LineKind.UTTERANCE:
        return ""
    if index.read.ended_in(line):
        return "superseded"
    if index.read.contested_in(line):
        return "contested"
    return ""


def settle(
    index: LineIndex, scored: Sequence[Scored]
) -> tuple[list[Scored], list[Rejected]]:
    """Return lines with what holds in place of sentences that do not, and the latter.

    Args:
        scored: The likeliest first.
    """
    if not index.read:
        return list(scored), []
    own = {each.line.number: each for each in scored}
    rejected: list[Rejected] = []
    left: dict[int, Scored] = {}
    for each in scored:
        why = why_unsayable(index, each.line)
        if not why:
            # Put in as what holds instead of a likelier one, it is as likely.
            left.setdefault(each.line.number, each)
            continue
        rejected.append(Rejected(each, why))
        for line in held_instead(index, each.line):
            instead = own.get(line.number) or _in_place_of(each, line)
            likely = max(each.probability, instead.probability)
            left.setdefault(line.number, instead._replace(probability=likely))
    return list(left.values()), rejected


def _in_place_of(sentence: Scored, statement: IndexedLine) -> Scored:
    """Return a statement that shares nothing with the prompt but by a sentence."""
    values = [*sentence.values, *[0.0] * (len(STATEMENT) - len(LINE))]
    return sentence._replace(line=statement, values=values)


def held_instead(index: LineIndex, line: IndexedLine) -> Iterable[IndexedLine]:
    """Yield the statements that are told in place of a sentence."""
    if index.read is None:
        return
    for ended in index.read.ended_in(line):
        yield from index.read.successor_of(ended.number)
    yield from index.read.contested_in(line)


class StatementOverlap:
    """Says which lines say no more than those that are told.

    Args:
        index: Of the lines.
    """

    def __init__(self, index: LineIndex) -> None:
        self._index = index
        self._told: set[int] = set()

    def __call__(self, choice: ChosenLine) -> set[int]:
        """Return the numbers of lines that say no more than this and what was told.

        Args:
            choice: It is told.
        """
        read = self._index.read
        if not read:
            return set()
        if choice.found.line.origin is None:
            lines = [*choice.lines, *([choice.later] if choice.later else [])]
            return {it.number for line in lines for it in read.read_from(line)}
        self._told.add(choice.found.line.number)
        sentences = self._index.sentences_of(choice.found.line)
        return {it.number for it in sentences if self._is_all_told(it)}

    def _is_all_told(self, line: IndexedLine) -> bool:
        read = self._index.read
        words = set(terms(line.content))
        if not read or not words:
            return True
        rest = set(words)
        for each in read.read_from(line):
            if each.number in self._told and each.origin is not None:
                rest.difference_update(terms(f"{each.text} {_read_of(each.origin)}"))
        return len(rest) <= REST_MAX * len(words)


def _read_of(origin: StatementOrigin) -> str:
    """Return the words that became a statement, as far as that is known."""
    # Rules name their whole sentence, of which they may have read one clause.
    return origin.quote if origin.reader is StatementReader.MODEL else ""
