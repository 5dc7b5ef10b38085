"""What was read from words and holds no more, by the turn that has the words."""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.terms import terms
from festinger.core.lines.index import IndexedLine, stands_in

Place = tuple[int, int, int]
"""Concept, dimension and parent of a statement, by their numbers."""


class EndedStatement(NamedTuple):
    """A statement that holds no more.

    Attributes:
        number: The ledger's row of it.
        origin: The words it was read from.
        place: What it says; None where nobody knows.
    """

    number: int
    origin: StatementOrigin
    place: Place | None = None


class EndedStatements:
    """The statements that hold no more, and what replaced them."""

    def __init__(self) -> None:
        self._by_turn: dict[bytes, list[EndedStatement]] = {}
        self._successors: dict[int, int] = {}

    def add(self, turn: bytes, ended: EndedStatement) -> None:
        """Take one in.

        Args:
            turn: The digest of the turn that it was read from; empty for none.
        """
        if turn:
            self._by_turn.setdefault(turn, []).append(ended)

    def revive(self, turn: bytes, number: int, place: Place) -> None:
        """Take in that a statement of a turn is held again, by this row or another."""
        ended = self._by_turn.pop(turn, [])
        left = [it for it in ended if it.number != number and it.place != place]
        if left:
            self._by_turn[turn] = left
        self._successors.pop(number, None)

    def succeed(self, number: int, successor: int) -> None:
        """Take in by which row of the ledger another was replaced."""
        self._successors[number] = successor

    def in_line(self, line: IndexedLine) -> list[EndedStatement]:
        """Return what was read from a sentence and holds no more."""
        ended = self._by_turn.get(line.digest, ()) if line.digest else ()
        return [it for it in ended if stands_in(it.origin.quote, line.text)]

    def successors(self, number: int) -> list[int]:
        """Return what replaced a statement, what replaced that, and so on."""
        found = [number]
        while (number := self._successors.get(number, 0)) and number not in found:
            found.append(number)
        return found[1:]


def is_read_anew(
    read: StatementOrigin, subject: str, value: str, by: StatementOrigin, about: str
) -> bool:
    """Return whether a model took words for a statement that rules took for another.

    Rules know a subject by the word before the verb, and a model by what the turn is
    about: `cron: [scheduled] 04:25` is then `catalog indexer: [scheduled] 04:25`.

    Args:
        read: The words that rules read.
        subject, value: What they read there, by their names.
        by: The words of the model's statement, of the same turn.
        about: The name of its subject.
    """
    if (read.reader, by.reader) != (StatementReader.RULES, StatementReader.MODEL):
        return False
    said = set(terms(by.quote))
    shared = said.union(terms(about)).intersection(terms(subject))
    return (
        bool(shared)
        and said.issuperset(terms(read.value or value))
        and stands_in(by.quote, read.quote)
    )
