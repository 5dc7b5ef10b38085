"""Types of the compiled `lines`; what it does is told in `_reference/lines.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import final, overload

from .values import Line

@final
class Lines(Sequence[Line]):
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Line]: ...
    def __eq__(self, other: object, /) -> bool: ...
    @overload
    def __getitem__(self, position: int, /) -> Line: ...
    @overload
    def __getitem__(self, position: slice, /) -> list[Line]: ...

def block(opening: str, lines: Iterable[Line], closing: str) -> str: ...
