"""Types of the compiled `telling`; `tests/oracle/telling.py` says what it does."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from .graph import Graph
from .values import Telling
from .vocabulary import Vocabulary

def tell(
    vocabulary: Vocabulary,
    graph: Graph,
    ids: Sequence[int],
    *,
    now: float,
    half_life: float,
    oldest: float,
    floor: float,
    concepts_max: int,
    edges_max: int,
    doubts: Mapping[int, Container[int]],
    mentioned: Container[int],
) -> Telling: ...
