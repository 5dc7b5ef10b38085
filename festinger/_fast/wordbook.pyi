"""Types of the compiled `wordbook`; `tests/oracle/wordbook.py` says what it does."""

from __future__ import annotations

from collections.abc import Container
from typing import final

from .vocabulary import Vocabulary

@final
class Wordbook:
    def __new__(
        cls, dictionary: Container[str], vocabulary: Vocabulary
    ) -> Wordbook: ...
    def __contains__(self, token: object, /) -> bool: ...
    def is_everyday(self, token: str) -> bool: ...
    def is_known(self, token: str) -> bool: ...
