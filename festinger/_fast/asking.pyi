"""Types of the compiled `asking`; `tests/oracle/asking.py` says what it does."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import final

from .scanner import Scan
from .values import Line, Telling

@final
class Unknown(Iterator[str]):
    def __iter__(self) -> Unknown: ...
    def __next__(self) -> str: ...

def ask(
    telling: Telling,
    spoken: Sequence[Scan],
    hinted: Container[str],
    everyday: Container[str],
    is_name: Callable[[str], bool],
    most: int,
) -> Sequence[Line]: ...
