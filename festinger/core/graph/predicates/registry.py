"""The predicates of a memory, and which of them words mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from festinger.core.graph.predicates.predicate import (
    Cardinality,
    Predicate,
    PredicateWords,
    check_dimension,
    check_uri,
)
from festinger.core.graph.predicates.tables import WordTables
from festinger.core.graph.predicates.words import (
    is_possessive,
    is_reversed,
    readings,
    split_words,
    words_of,
)
from festinger.core.graph.proposal import TYPE
from festinger.core.graph.seeddata import SEEDED
from festinger.core.graph.statement import to_token
from festinger.core.graph.values.kinds import Value, ValueKind

_MOMENTS: Final = frozenset([ValueKind.DATE, ValueKind.WEEKDAY, ValueKind.TIME])


def _seeded(table: Mapping[str, Any]) -> Iterator[Predicate]:
    """Yield the predicate of a table of the data file, and those of its further URIs."""
    words = {
        key: tuple(table.get(key, ()))
        for key in ("verbs", "nouns", "synonyms", "inverse", "timed")
    }
    first = Predicate(
        table["uri"],
        table["dimension"],
        table.get("isa", False),
        table["question"],
        Cardinality(table["cardinality"]),
        frozenset(map(ValueKind, table.get("values", ()))),
        PredicateWords(**words),
        table.get("offered", False),
    )
    yield first
    for uri, question in table.get("uris", {}).items():
        yield replace(first, uri=uri, question=question, wording=PredicateWords())


BUILT_IN = tuple(each for table in SEEDED for each in _seeded(table))
"""Those that come with the product; of several for one dimension the first speaks for
it."""
_TABLES: Final = WordTables.of(BUILT_IN)


class Registry:
    """The predicates of a memory.

    Args:
        own: Those that it has besides the built-in ones, or instead of them. One that
            takes the place of a built-in one of its dimension keeps that one's words,
            and what it does not say itself.
    """

    def __init__(self, own: Iterable[Predicate] = ()) -> None:
        self._by_uri = {each.uri: each for each in BUILT_IN}
        own = [_completed(each, self._by_uri.get(each.uri)) for each in own]
        self._by_uri |= {each.uri: each for each in own}
        self._by_place: dict[tuple[str, bool], Predicate] = {}
        for each in self._by_uri.values():
            self._by_place.setdefault((each.dimension, each.is_isa), each)
        self._cardinalities = {
            each.dimension: each.cardinality
            for each in reversed(self._by_uri.values())
            if each.cardinality
        }
        self._tables = _TABLES.with_own(own) if own else _TABLES

    def __contains__(self, uri: object) -> bool:
        """Whether somebody registered it, or it comes with the product."""
        return uri in self._by_uri

    def __iter__(self) -> Iterator[Predicate]:
        """All that are registered, by URI."""
        return iter(sorted(self._by_uri.values(), key=lambda each: each.uri))

    def offered(self) -> Mapping[str, str]:
        """The questions of the predicates that models are offered, by their URIs."""
        return {each.uri: each.question for each in self if each.offered}

    def of_uri(self, uri: str) -> Predicate:
        """The predicate of that name; one that nobody registered is named as it reads.

        `t:xyzAbc` is the dimension `xyz-abc`, in which something is part of something.

        Raises:
            InvalidArgument: It is no URI of a predicate.
            NotATokenError: Nobody registered it, and no dimension can be named after it.
        """
        known = self._by_uri.get(uri)
        return known or Predicate(uri, _dimension(check_uri(uri)), is_isa=False)

    def of(self, dimension: str, is_isa: bool) -> Predicate | None:
        """The predicate that speaks for a dimension; None if there is none."""
        return self._by_place.get((dimension, is_isa))

    def of_dimension(self, dimension: str) -> Predicate | None:
        """The predicate that speaks for a dimension, whichever way; None if none does."""
        return self.of(dimension, is_isa=True) or self.of(dimension, is_isa=False)

    def named(self, name: str) -> Predicate:
        """The predicate that is meant by a URI, or by the name of a dimension.

        What no predicate speaks for has none: its URI is empty.

        Raises:
            InvalidArgument: It is neither.
            NotATokenError: It is no name.
        """
        if ":" in name:
            return self.of_uri(name)
        dimension = check_dimension(name, "predicate")
        known = self.of_dimension(dimension)
        return known or Predicate("", dimension, is_isa=dimension == TYPE)

    def cardinality(self, dimension: str) -> Cardinality | None:
        """How many values a subject has in a dimension; None if nobody said."""
        return self._cardinalities.get(dimension)

    def resolve(self, words: str, value: Value | None = None) -> Predicate | None:
        """Return the registered predicate that words mean; None if none surely does.

        `is running on`, `hosted_on`, `runs-on` and `t:runsOn` are one. A compound keeps
        its meaning: `Postgres version` is not the predicate `version`. Words that say it
        the other way round (`owns`, `is the owner of`) mean none: see `inverse`.

        Args:
            words: As people or models write them.
            value: What follows, where it is known: `runs on` before `Monday` is no host.
        """
        if words in self._by_uri:
            return self._by_uri[words]
        split = split_words(words)
        found = [*readings(split)]
        if value and value.kind in _MOMENTS:
            for reading in found:
                if uri := self._tables.timed.get(reading):
                    return self._by_uri[uri]
        for reading in found:
            if reading in self._tables.inverse:
                return None
            if uri := self._tables.meant.get(reading):
                return self._by_uri[uri]
        # "has a budget of", and "price of" before an amount, say it of the subject.
        if split[-1:] == ["of"] and (
            is_possessive(split)
            or (value and value.is_measure and not is_reversed(split))
        ):
            return self.resolve(" ".join(split[:-1]), value)
        return None

    def inverse(self, words: str) -> Predicate | None:
        """Return the predicate that words mean the other way round; None if none surely.

        `Sasha owns the indexer` says that the indexer is owned by Sasha.
        """
        split = split_words(words)
        for reading in readings(split):
            if reading in self._tables.meant:
                return None
            if uri := self._tables.inverse.get(reading):
                return self._by_uri[uri]
        return self.resolve(" ".join(split[:-1])) if is_reversed(split) else None


def _completed(own: Predicate, built_in: Predicate | None) -> Predicate:
    """Return a memory's predicate with what the built-in one of its name says besides."""
    if built_in is None or built_in.dimension != own.dimension:
        return own
    words = built_in.wording
    return replace(
        own,
        question=own.question or built_in.question,
        cardinality=own.cardinality or built_in.cardinality,
        values=built_in.values,
        offered=built_in.offered,
        wording=replace(
            words,
            synonyms=tuple(dict.fromkeys((*own.wording.synonyms, *words.synonyms))),
        ),
    )


def _dimension(uri: str) -> str:
    """The name of a dimension that a URI reads as."""
    return to_token("-".join(words_of(uri)), "predicate")
