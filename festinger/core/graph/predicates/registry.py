"""Registry of a memory's predicates, and lookup of predicates by wording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from festinger.core.graph.predicates.predicate import (
    Cardinality,
    Predicate,
    PredicateWords,
    check_dimension,
    check_uri,
)
from festinger.core.graph.predicates.words import (
    is_possessive,
    is_reversed,
    noun_forms,
    readings,
    split_words,
    verb_forms,
    words_of,
)
from festinger.core.graph.proposal import TYPE
from festinger.core.graph.seeddata import SEEDED
from festinger.core.graph.statement import to_token
from festinger.core.graph.values.kinds import Value, ValueKind
from festinger.core.graph.values.moments import begins_with_moment

Words = tuple[str, ...]


@dataclass(slots=True)
class WordTables:
    """Lookup tables from wordings to the URIs of predicates.

    Attributes:
        inverse: URIs by inverse wording, with subject and value exchanged.
        timed: URIs by wording that counts only before a date, a weekday or a time.
    """

    meant: dict[Words, str] = field(default_factory=dict)
    inverse: dict[Words, str] = field(default_factory=dict)
    timed: dict[Words, str] = field(default_factory=dict)

    @classmethod
    def of(cls, predicates: Iterable[Predicate]) -> Self:
        """Return the tables of predicates, of which earlier ones take precedence."""
        tables, predicates = cls(), list(predicates)
        # Two passes: an inflected form must not take the place of another's literal wording.
        for each in predicates:
            tables._add_literal(each)
        for each in predicates:
            tables._add_forms(each)
        return tables

    def with_own(self, own: Iterable[Predicate]) -> WordTables:
        """Return the tables merged with own predicates, which take precedence."""
        more = WordTables.of(own)
        # A word that the operator gave one direction is not kept in the other.
        inverse = {
            words: uri for words, uri in self.inverse.items() if words not in more.meant
        }
        meant = {
            words: uri for words, uri in self.meant.items() if words not in more.inverse
        }
        return WordTables(
            meant | more.meant, inverse | more.inverse, self.timed | more.timed
        )

    def _add_literal(self, predicate: Predicate) -> None:
        wording, uri = predicate.wording, predicate.uri
        for each in wording.inverse:
            self.inverse.setdefault(tuple(split_words(each)), uri)
        for each in (
            predicate.dimension,
            *wording.synonyms,
            *wording.verbs,
            *wording.nouns,
        ):
            self.meant.setdefault(tuple(split_words(each)), uri)
        for each in wording.timed:
            self.timed.setdefault(tuple(split_words(each)), uri)

    def _add_forms(self, predicate: Predicate) -> None:
        wording, uri = predicate.wording, predicate.uri
        for table, words, forms_of in (
            (self.meant, wording.verbs, verb_forms),
            (self.meant, wording.nouns, noun_forms),
            (self.inverse, wording.inverse, verb_forms),
        ):
            for form in (form for each in words for form in forms_of(each)):
                # Neither replaces a wording, nor turns one round.
                if form not in self.meant and form not in self.inverse:
                    table[form] = uri
        # Timed wordings live apart, as "runs on" is in both tables.
        for form in (form for each in wording.timed for form in verb_forms(each)):
            self.timed.setdefault(form, uri)


# What "runs on" is said of before a day or a time: scheduled, not hosted.
_MOMENTS: Final = frozenset([ValueKind.DATE, ValueKind.WEEKDAY, ValueKind.TIME])


def _seeded(table: Mapping[str, Any]) -> Iterator[Predicate]:
    """Yield the predicate of a table in the data file, and those of its other URIs."""
    words = {
        key: tuple(table.get(key, ()))
        for key in ("verbs", "nouns", "synonyms", "inverse", "timed")
    }
    first = Predicate(
        table["uri"],
        table["dimension"],
        table.get("isa", False),
        table["question"],
        Cardinality(table["cardinality"]) if "cardinality" in table else None,
        frozenset(map(ValueKind, table.get("values", ()))),
        PredicateWords(**words),
        table.get("offered", False),
    )
    yield first
    # Another name of the dimension has a question of its own, and no words.
    for uri, question in table.get("uris", {}).items():
        yield replace(first, uri=uri, question=question, wording=PredicateWords())


BUILT_IN = tuple(each for table in SEEDED for each in _seeded(table))
"""The built-in predicates; of several for one dimension, the first represents it."""
_TABLES: Final = WordTables.of(BUILT_IN)


class Registry:
    """The predicates of a memory.

    Args:
        own: The memory's own predicates, in addition to the built-in ones or in their
            place. One that replaces a built-in predicate of the same dimension keeps
            its wordings, and its properties where it does not set them.
    """

    # Own ones last: they replace built-in ones of the same URI.
    def __init__(self, own: Iterable[Predicate] = ()) -> None:
        self._by_uri = {each.uri: each for each in BUILT_IN}
        self._own = {each.uri: each for each in own}
        own = [_completed(it, self._by_uri.get(it.uri)) for it in self._own.values()]
        self._by_uri |= {each.uri: each for each in own}
        self._by_place: dict[tuple[str, bool], Predicate] = {}
        for each in self._by_uri.values():
            self._by_place.setdefault((each.dimension, each.is_isa), each)
        self._cardinalities = {
            each.dimension: each.cardinality
            # Reversed, so that the first of a dimension wins here, too.
            for each in reversed(self._by_uri.values())
            if each.cardinality
        }
        self._tables = _TABLES.with_own(own) if own else _TABLES

    def __contains__(self, uri: object) -> bool:
        """Return whether a URI is registered or built in."""
        return uri in self._by_uri

    def __iter__(self) -> Iterator[Predicate]:
        """Yield all registered predicates, ordered by URI."""
        return iter(sorted(self._by_uri.values(), key=lambda each: each.uri))

    def defining(self, predicate: Predicate) -> Registry:
        """Return a registry that has a predicate in place of the one of its URI."""
        own = self._own | {predicate.uri: predicate}
        # In the order in which they are loaded: the first of a dimension represents it.
        return Registry(own[uri] for uri in sorted(own))

    def differing(self, other: Registry) -> set[str]:
        """Return the dimensions whose cardinality differs in another registry."""
        ours, theirs = self._cardinalities, other._cardinalities
        return {it for it in ours | theirs if ours.get(it) is not theirs.get(it)}

    def offered(self) -> Mapping[str, str]:
        """Return the questions of the predicates that models are offered, by URI."""
        return {each.uri: each.question for each in self if each.offered}

    def of_uri(self, uri: str) -> Predicate:
        """Return the predicate of a URI; `t:xyzAbc` is the dimension `xyz-abc`.

        Raises:
            InvalidArgument: It is no valid URI of a predicate.
            NotATokenError: It is unregistered, and no dimension can be named after it.
        """
        known = self._by_uri.get(uri)
        return known or Predicate(uri, _dimension(check_uri(uri)), is_isa=False)

    def of(self, dimension: str, is_isa: bool) -> Predicate | None:
        """Return the predicate that represents a dimension; None if there is none."""
        return self._by_place.get((dimension, is_isa))

    def of_dimension(self, dimension: str) -> Predicate | None:
        """Return the ISA or else the ISPART predicate of a dimension, if any."""
        return self.of(dimension, is_isa=True) or self.of(dimension, is_isa=False)

    def named(self, name: str) -> Predicate:
        """Return the predicate of a URI, or of the name of a dimension.

        For a dimension that no predicate represents, the returned URI is empty.

        Raises:
            InvalidArgument: It looks like a URI and is none.
            NotATokenError: It is no valid name.
        """
        if ":" in name:  # a dimension has no colon
            return self.of_uri(name)
        dimension = check_dimension(name, "predicate")
        known = self.of_dimension(dimension)
        # "type" is the one dimension that is an ISA by its name.
        return known or Predicate("", dimension, is_isa=dimension == TYPE)

    def cardinality(self, dimension: str) -> Cardinality | None:
        """Return the cardinality of a dimension; None if unspecified."""
        return self._cardinalities.get(dimension)

    def resolve(self, words: str, value: Value | None = None) -> Predicate | None:
        """Return the registered predicate of a wording; None without a certain match.

        `is running on`, `hosted_on`, `runs-on` and `t:runsOn` are one. A compound keeps
        its meaning: `Postgres version` is not the predicate `version`. Inverse wordings
        (`owns`, `is the owner of`) match none: see `inverse`.

        Args:
            words: As people or models write them.
            value: The value, where it is known: `runs on` before `Monday` is no host.
        """
        if words in self._by_uri:  # a URI needs no reading
            return self._by_uri[words]
        split = split_words(words)
        found = [*readings(split)]
        # Before a day: "runs on Monday" means another predicate than "runs on podman".
        if value and (value.kind in _MOMENTS or begins_with_moment(value.text)):
            for reading in found:
                if uri := self._tables.timed.get(reading):
                    return self._by_uri[uri]
        for reading in found:
            # "owns" is known, but the other way round: `inverse` looks for it.
            if reading in self._tables.inverse:
                return None
            if uri := self._tables.meant.get(reading):
                return self._by_uri[uri]
        # "has a budget of", and "price of" before an amount, describe the subject.
        if split[-1:] == ["of"] and (
            is_possessive(split)
            or (value and value.is_measure and not is_reversed(split))
        ):
            return self.resolve(" ".join(split[:-1]), value)
        return None

    def inverse(self, words: str) -> Predicate | None:
        """Return the predicate of an inverse wording; None without a certain match.

        `Sasha owns the indexer` states that the indexer is owned by Sasha.
        """
        split = split_words(words)
        for reading in readings(split):
            if reading in self._tables.meant:
                return None  # the literal meaning goes first
            if uri := self._tables.inverse.get(reading):
                return self._by_uri[uri]
        # "is the owner of" is the inverse of "owner".
        return self.resolve(" ".join(split[:-1])) if is_reversed(split) else None


def _completed(own: Predicate, built_in: Predicate | None) -> Predicate:
    """Return a predicate completed from the built-in one of the same URI."""
    # Moved to another dimension: nothing of it fits.
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
            # The operator's words come first.
            synonyms=tuple(dict.fromkeys((*own.wording.synonyms, *words.synonyms))),
        ),
    )


def _dimension(uri: str) -> str:
    """Return the dimension that is derived from a URI."""
    return to_token("-".join(words_of(uri)), "predicate")
