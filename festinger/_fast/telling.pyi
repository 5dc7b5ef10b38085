"""Types of the compiled `telling`; what it does is told in `_reference/telling.py`."""

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
