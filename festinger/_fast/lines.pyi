"""Types of the compiled `lines`; what it does is told in `_reference/lines.py`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from .unmade import Unmade
from .values import Line

@final
class Lines(Unmade[Line]):
    def __len__(self) -> int: ...

def block(opening: str, lines: Iterable[Line], closing: str) -> str: ...
