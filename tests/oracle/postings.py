"""An inverted index of short lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from math import log
from typing import final

from festinger._fast.values import (
    LENGTH_MEAN,
    POSTINGS_READ_MAX,
    QUERY_TERMS_MAX,
    SATURATION,
    WEIGHT_UNIT,
)


@final
class Postings:
    """An inverted index of lines: terms → the lines that have them.

    Lines are numbered from 0 in the order in which they are added. A closed line keeps
    its number and is never found again. The index is not thread-safe.
    """

    def __init__(self) -> None:
        """Create an empty index."""
        self._lists: dict[str, list[tuple[int, int]]] = {}
        self._closed_having: dict[str, int] = {}
        self._groups: list[int] = []
        self._closed: set[int] = set()
        self._matched: dict[int, int] = {}

    def __len__(self) -> int:
        """Return the number of lines that were added."""
        return len(self._groups)

    @property
    def open(self) -> int:
        """The number of lines that are not closed."""
        return len(self._groups) - len(self._closed)

    @property
    def nbytes(self) -> int:
        """The approximate memory use, in bytes."""
        return sum(64 * len(each) for each in self._lists.values())

    def add(self, terms: Iterable[tuple[str, float]], group: int = 0) -> int:
        """Add a line and return its number.

        Args:
            terms: Pairs of a term and its count in the line, which may be a fraction.
            group: The group of the line, which `search` may prefer.
        """
        terms = list(terms)
        line = len(self._groups)
        length = sum(count for _, count in terms)
        for term, count in terms:
            weight = (
                count
                * (SATURATION + 1)
                / (count + SATURATION * (0.6 + 0.4 * length / LENGTH_MEAN))
            )
            steps = int(max(1, min(255, weight * WEIGHT_UNIT + 0.5)))
            self._lists.setdefault(term, []).append((line, steps))
        self._groups.append(group)
        return line

    def close(self, line: int, terms: Iterable[str]) -> None:
        """Exclude a line from all further searches.

        Args:
            line: The number of the line.
            terms: The terms of the line, each once.
        """
        if line >= len(self._groups) or line in self._closed:
            return
        self._closed.add(line)
        for term in terms:
            if term in self._lists:
                self._closed_having[term] = self._closed_having.get(term, 0) + 1

    def frequency(self, term: str) -> int:
        """Return how many open lines have a term."""
        size = len(self._lists.get(term, ()))
        return size - min(size, self._closed_having.get(term, 0))

    def search(
        self,
        terms: Iterable[tuple[str, float]],
        group: int,
        bonus: float,
        most: int,
        first: int = 0,
        read_max: int = POSTINGS_READ_MAX,
    ) -> list[tuple[int, float, int]]:
        """Return the lines that match best, the best first.

        Args:
            terms: Pairs of a term and its weight, which is multiplied by the term's
                rarity; the first `QUERY_TERMS_MAX` are looked up, the rarest first.
            group: The group whose lines get the bonus.
            bonus: Added to the score of these lines when they are ranked.
            most: Maximum number of lines.
            first: The number of the first line that is considered.
            read_max: Maximum number of postings that are read; those of the first term
                are read in any case.

        Returns:
            Triples of a line, its score without the bonus, and the terms that it has,
            with bit `i` for the pair `i`.
        """
        wanted = sorted(
            (len(self._lists[term]), at, term, weight)
            for at, (term, weight) in enumerate(list(terms)[:QUERY_TERMS_MAX])
            if term in self._lists
        )
        scores: dict[int, float] = {}
        matched: dict[int, int] = {}
        read = 0
        for _, at, term, weight in wanted:
            places = self._lists[term]
            places = places[bisect_left(places, (first, 0)) :]
            if read and read + len(places) > read_max:
                break
            read += len(places)
            having = self.frequency(term)
            rarity = log(1 + (self.open - having + 0.5) / (having + 0.5))
            for line, steps in places:
                scores[line] = (
                    scores.get(line, 0) + weight * rarity * steps / WEIGHT_UNIT
                )
                matched[line] = matched.get(line, 0) | 1 << at
        self._matched = matched
        ranked = sorted(
            (
                (score + (bonus if self._groups[line] == group else 0), line)
                for line, score in scores.items()
                if line not in self._closed
            ),
            reverse=True,
        )
        return [(line, scores[line], matched[line]) for _, line in ranked[:most]]

    def matched(self, lines: Iterable[int]) -> int:
        """Return the terms of the last search that any of some lines has, as bits.

        Args:
            lines: The numbers of the lines.
        """
        found = 0
        for line in lines:
            found |= self._matched.get(line, 0)
        return found
