"""Edits of predicates by operators."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.graph.predicates.predicate import (
    Predicate,
    check_synonyms,
    check_uri,
    uri_of,
)
from festinger.core.graph.predicates.registry import BUILT_IN, Registry
from festinger.errors import InvalidArgument

_BUILT_IN = {each.uri: each for each in BUILT_IN}


@dataclass(frozen=True, slots=True)
class PredicateEdit:
    """An operator's edit of a predicate; fields left empty stay unchanged.

    Attributes:
        name: URI of the predicate, or name of its dimension.
        dimension: Dimension of its statements; empty to leave it unchanged.
        is_isa: Whether it classifies its subject; used only together with a dimension.
        question: Wording of its question; empty to leave it unchanged.
        cardinality: A value of `Cardinality`; empty to leave it unchanged.
        synonyms: Synonyms to add.
        without: Synonyms to remove.
    """

    name: str
    dimension: str = ""
    is_isa: bool = False
    question: str = ""
    cardinality: str = ""
    synonyms: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def applied(self, registry: Registry) -> Predicate:
        """Return the predicate as the memory is to store it, given its registry.

        Raises:
            NotATokenError: A name is not one token.
            InvalidArgument: Another field is invalid.
        """
        known = registry.named(self.name.strip())  # a URI, or the name of a dimension
        uri = check_uri(known.uri or uri_of(known.dimension))
        dimension = self.dimension.strip() or known.dimension
        # A dimension comes with its flavour; without one, the flag of the edit means nothing.
        kept, is_isa = known, known.is_isa
        if self.dimension.strip():
            is_isa = self.is_isa
        # In another dimension its question and cardinality would be wrong.
        if dimension != known.dimension:
            kept = Predicate(uri, dimension, is_isa)
        built_in = _BUILT_IN.get(uri)
        # The operator has taken it over.
        if built_in and built_in.dimension != dimension:
            built_in = None
        self._check_speaker(registry, uri, dimension, is_isa)
        # Built-in values are not copied, so that a later release can change them.
        question = kept.question
        if built_in and question == built_in.question:
            question = ""
        cardinality = kept.cardinality
        if built_in and cardinality is built_in.cardinality:
            cardinality = None
        return Predicate.checked(
            uri,
            dimension,
            is_isa,
            self.question or question,
            self.cardinality or cardinality,
            self._synonyms(kept, built_in),
        )

    def _check_speaker(
        self, registry: Registry, uri: str, dimension: str, is_isa: bool
    ) -> None:
        """Refuse a cardinality for a dimension that another predicate represents."""
        # Of several predicates of a dimension, the first says how many values there are.
        speaker = registry.of(dimension, is_isa)
        if self.cardinality and speaker and speaker.uri != uri:
            raise InvalidArgument(
                f"{speaker.uri} says how many values there are in {dimension}: set the "
                "cardinality there",
                field="cardinality",
            )

    def _synonyms(self, kept: Predicate, built_in: Predicate | None) -> tuple[str, ...]:
        """Return the memory's own synonyms of a predicate after the edit."""
        # Built-in synonyms come with the release and are not stored, nor can they be removed.
        theirs = set(built_in.wording.synonyms) if built_in else set()
        own = [each for each in kept.wording.synonyms if each not in theirs]
        gone = check_synonyms(self.without)
        if missing := [each for each in gone if each not in own]:
            raise InvalidArgument(
                f"{missing[0]!r} is no synonym that this memory gave {kept.dimension}",
                field="remove_synonyms",
            )
        added = check_synonyms(self.synonyms)
        return tuple(it for it in dict.fromkeys((*own, *added)) if it not in gone)
