"""What a memory knows of words, in plain Python."""

from __future__ import annotations

from collections.abc import Container
from typing import final

from .vocabulary import Vocabulary


@final
class Wordbook:
    """Tells which words are everyday words, and which concepts are known.

    Args:
        dictionary: The everyday words.
        vocabulary: The concepts, of which those are known that a fact placed.
    """

    def __init__(self, dictionary: Container[str], vocabulary: Vocabulary) -> None:
        """Ask these from now on; what changes in them is told as it is then."""
        self._dictionary = dictionary
        self._vocabulary = vocabulary

    def is_everyday(self, token: str) -> bool:
        """Whether a token is a word of the dictionary."""
        return token in self._dictionary

    def __contains__(self, token: object) -> bool:
        """Whether it is an everyday word."""
        return token in self._dictionary

    def is_known(self, token: str) -> bool:
        """Whether a fact placed a concept."""
        return self._vocabulary.is_placed(token)
