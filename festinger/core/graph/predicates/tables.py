"""Lookup tables from wordings to predicates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from festinger.core.graph.predicates.predicate import Predicate
from festinger.core.graph.predicates.words import noun_forms, split_words, verb_forms

Words = tuple[str, ...]


@dataclass(slots=True)
class WordTables:
    """Lookup tables from wordings to the URIs of predicates.

    Attributes:
        meant: URIs by wording.
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
