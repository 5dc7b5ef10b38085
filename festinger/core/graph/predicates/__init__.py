"""Predicates, and the dimensions that they stand for in the graph (I3).

Clients name predicates by URI (`t:joined`), people and models by words (`is hosted on`);
the graph knows dimensions. An unregistered predicate is a dimension named after it.
"""

from __future__ import annotations

from festinger.core.graph.predicates.editing import PredicateEdit
from festinger.core.graph.predicates.predicate import (
    Cardinality,
    Predicate,
    PredicateWords,
    check_uri,
    uri_of,
)
from festinger.core.graph.predicates.registry import BUILT_IN, Registry
from festinger.core.graph.predicates.words import dimension_of, words_of

__all__ = [
    "BUILT_IN",
    "Cardinality",
    "Predicate",
    "PredicateEdit",
    "PredicateWords",
    "Registry",
    "check_uri",
    "dimension_of",
    "uri_of",
    "words_of",
]
