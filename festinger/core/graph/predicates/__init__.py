"""Predicates, and the dimensions that they stand for in the graph (I3).

A client that proposes a candidate names a predicate by its URI, as `t:joined`; people
and models write it in words, as `is hosted on`; the graph knows dimensions. The
built-in predicates are in `predicates.toml`, and a memory can register more. An
unregistered predicate is a dimension named after it until it is registered.
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
