"""Word lists of the cue scanner, one bit each.

The scanner of cues assigns the bits to lists, except for two that decide where a
sentence ends (`values.SHORT`, `values.OPEN_END`), and those that depend on a word's
spelling.
"""

from __future__ import annotations

from typing import final

from festinger._fast.values import ENDS_IN_ED, ENDS_IN_ING, ENDS_IN_LY, HYPHENATED


@final
class Lists:
    """Mapping of words to the lists that they are on.

    Args:
        words: The lists of each word, one bit each; in lower case, of at most 16 bytes.
    """

    def __init__(self, words: dict[str, int]) -> None:
        """Create the mapping."""
        if len(words) > _WORDS_MAX:
            raise ValueError(f"{len(words)} words; at most {_WORDS_MAX} can be told")
        for word in words:
            if not 0 < len(word.encode()) <= _WORD_BYTES_MAX:
                raise ValueError(f"{word!r} is not of 1 to {_WORD_BYTES_MAX} bytes")
        self._words = dict(words)

    def of(self, word: str) -> int:
        """Return the bits of the lists that a word is on, and those of its spelling."""
        lists = self._words.get(word, 0)
        if word.endswith("ly"):
            lists |= ENDS_IN_LY
        elif word.endswith("ed"):
            lists |= ENDS_IN_ED
        elif word.endswith("ing"):
            lists |= ENDS_IN_ING
        return lists | HYPHENATED if "-" in word else lists


_WORDS_MAX = 2047
_WORD_BYTES_MAX = 16
