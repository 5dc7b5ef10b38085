"""Types of the compiled `lists`; what it does is told in `_reference/lists.py`."""

from __future__ import annotations

from typing import final

@final
class Lists:
    def __new__(cls, words: dict[str, int]) -> Lists: ...
    def of(self, word: str) -> int: ...
