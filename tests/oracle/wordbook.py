"""Look-up of everyday words and known concepts."""

from __future__ import annotations

from collections.abc import Container
from typing import final

from tests.oracle.vocabulary import Vocabulary


@final
class Wordbook:
    """Look-up of the everyday words and the known concepts of a memory.

    Args:
        dictionary: The everyday words.
        vocabulary: The concepts; those that a fact placed are known.
    """

    def __init__(self, dictionary: Container[str], vocabulary: Vocabulary) -> None:
        """Create a view of these collections, which reflects later changes to them."""
        self._dictionary = dictionary
        self._vocabulary = vocabulary

    def is_everyday(self, token: str) -> bool:
        """Return whether a token is a word of the dictionary."""
        return token in self._dictionary

    def __contains__(self, token: object) -> bool:
        """Return whether a token is an everyday word."""
        return token in self._dictionary

    def is_known(self, token: str) -> bool:
        """Return whether a fact placed a concept."""
        return self._vocabulary.is_placed(token)
