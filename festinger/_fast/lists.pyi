"""Types of the compiled `lists`; `tests/oracle/lists.py` says what it does."""

from __future__ import annotations

from typing import final

@final
class Lists:
    def __new__(cls, words: dict[str, int]) -> Lists: ...
    def of(self, word: str) -> int: ...
