"""Types of the compiled `telling`; what it does is told in `_reference/telling.py`."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import final

from .graph import Graph
from .values import Telling
from .vocabulary import Vocabulary

@final
class Unknown(Iterator[str]):
    def __iter__(self) -> Unknown: ...
    def __next__(self) -> str: ...

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
