"""Index of statements that are no longer held, by the turn that they were read from."""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.terms import term_set, terms
from festinger.core.lines.line import IndexedLine, stands_in

Place = tuple[int, int, int]
"""Ids of the concept, dimension and parent of a statement."""


class EndedStatement(NamedTuple):
    """A statement that is no longer held.

    Attributes:
        number: Its ledger row.
        origin: Quote that it was read from.
        place: Its concept, dimension and parent; None if unknown.
    """

    number: int
    origin: StatementOrigin
    place: Place | None = None


class EndedStatements:
    """The statements that are no longer held, and their successors."""

    def __init__(self) -> None:
        self._by_turn: dict[bytes, list[EndedStatement]] = {}
        self._by_place: dict[tuple[int, int], list[EndedStatement]] = {}
        self._successors: dict[int, int] = {}

    def add(self, turn: bytes, ended: EndedStatement) -> None:
        """Add a statement that ended after those that were added before.

        Args:
            turn: Digest of the turn that it was read from; empty for none.
        """
        # Without a turn there is no kept sentence that could be told as if it were true.
        if turn:
            self._by_turn.setdefault(turn, []).append(ended)
            if ended.place:
                self._by_place.setdefault(ended.place[:2], []).append(ended)

    def revive(self, turn: bytes, number: int, place: Place) -> None:
        """Remove a statement that is held again, by this ledger row or another."""
        ended = self._by_turn.pop(turn, [])
        # An undo may hold the statement under another ledger row: its place identifies it.
        left = [it for it in ended if it.number != number and it.place != place]
        if left:
            self._by_turn[turn] = left
        before = self._by_place.pop(place[:2], [])
        if before := [it for it in before if it.place != place]:
            self._by_place[place[:2]] = before
        self._successors.pop(number, None)

    def succeed(self, number: int, successor: int) -> None:
        """Record the ledger row that replaced another."""
        self._successors[number] = successor

    def before(self, place: Place) -> EndedStatement | None:
        """Return the last statement that ended where another is held; None for none."""
        # The parent does not matter: it is the value that the statement replaced. The order
        # is that of the ends, as ledger rows are numbered in blocks, one for each server.
        ended = self._by_place.get(place[:2])
        return ended[-1] if ended else None

    def in_line(self, line: IndexedLine) -> list[EndedStatement]:
        """Return the ended statements that were read from a sentence."""
        ended = self._by_turn.get(line.digest, ()) if line.digest else ()
        return [it for it in ended if stands_in(it.origin.quote, line.text)]

    def successors(self, number: int) -> list[int]:
        """Return the chain of ledger rows that replaced a statement."""
        found = [number]
        # A chain that leads back to one of its rows ends there.
        while (number := self._successors.get(number, 0)) and number not in found:
            found.append(number)
        return found[1:]


def is_read_anew(
    read: StatementOrigin, subject: str, value: str, by: StatementOrigin, about: str
) -> bool:
    """Return whether a model's statement replaces one that rules read from its words.

    Args:
        read: Origin of the statement that rules read.
        subject, value: Names of its subject and value.
        by: Origin of the model's statement, from the same turn.
    """
    # Rules take the word before the verb as the subject, a model the topic of the turn:
    # `cron: [scheduled] 04:25` becomes `catalog indexer: [scheduled] 04:25`.
    if (read.reader, by.reader) != (StatementReader.RULES, StatementReader.MODEL):
        return False
    said = term_set(by.quote)
    # Another fact of the same sentence is no new reading: subject and value must recur.
    shared = said.union(terms(about)).intersection(terms(subject))
    return (
        bool(shared)
        and said.issuperset(terms(read.value or value))
        and stands_in(by.quote, read.quote)
    )
