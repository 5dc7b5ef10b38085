"""Types of the compiled `found`; what it does is told in `_reference/found.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

from .unmade import Unmade

@final
class Salient(Unmade[int]):
    def __len__(self) -> int: ...

@final
class Strangers(Unmade[str]):
    def __len__(self) -> int: ...

def united(found: Iterable[Sequence[int]], without: Iterable[int] = ()) -> Salient: ...
