"""Underscores that emphasise words."""

from __future__ import annotations

import re
from typing import Final

from festinger._fast.values import SENTENCE_CHARACTERS_MAX

# It begins with a literal, so that the engine skips to the next. A mark opens before a
# word and closes behind one.
_UNDERSCORES: Final = re.compile(
    r"_(?:(?<!\w_)(?P<opens>_?)(?=[^\W_])|(?<=[^\s_]_)_?(?!\w))"
)
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n")


def unemphasised(text: str) -> str:
    """Return the text with `*` for each `_` that encloses several words."""
    # A `_` is a word character (B2), so that `_Glitch University_` would be two odd words.
    # A single word keeps it: `__init__` is a name.
    parts: list[str] = []
    done, opened = 0, None
    for mark in _UNDERSCORES.finditer(text):
        if mark["opens"] is not None:
            opened = mark
            continue
        if opened is not None and _encloses_words(text, opened, mark):
            parts += text[done : opened.start()], "*" * len(opened[0])
            parts += text[opened.end() : mark.start()], "*" * len(mark[0])
            done = mark.end()
        opened = None
    return "".join([*parts, text[done:]]) if parts else text


def _encloses_words(text: str, opening: re.Match[str], closing: re.Match[str]) -> bool:
    start, end = opening.end(), closing.start()
    if len(opening[0]) != len(closing[0]) or end - start > SENTENCE_CHARACTERS_MAX:
        return False
    inner = text[start:end]
    return len(inner.split(None, 1)) > 1 and not _BLANK_LINE.search(inner)
