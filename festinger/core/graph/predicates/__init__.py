"""What predicates are in the graph (I3).

Who puts a candidate forward names a predicate by its URI, as `t:joined`; people and
models write it in words, as `is hosted on`; the graph knows dimensions. Those that come
with the product are in `predicates.toml`, a memory may have more of its own, and one that
nobody registered is a dimension named after it until somebody does.
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
