"""Rules of masking that are rarely needed, for the compiled modules."""

from __future__ import annotations

import re
from typing import Final

from .values import SENTENCE_CHARACTERS_MAX

# It begins with a literal, so that the engine skips to the next. A mark opens before a
# word and closes behind one.
_UNDERSCORES: Final = re.compile(
    r"_(?:(?<!\w_)(?P<opens>_?)(?=[^\W_])|(?<=[^\s_]_)_?(?!\w))"
)
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n")
#: Elements whose content is not prose, or is quoted, or is our own output.
ELEMENTS: Final = frozenset(
    [
        "blockquote", "code", "del", "document", "document_content", "documents",
        "example", "examples", "kbd", "pre", "q", "quote", "recollection", "s", "samp",
        "script", "strike", "style", "svg", "template", "tool_result", "tool_results",
    ]
)  # fmt: skip


def unemphasised(text: str) -> str:
    """Return the text with `*` for each `_` that encloses several words.

    A `_` is a word character (B2), so `_Glitch University_` would be read as two odd
    words. Around a single word it is kept: `__init__` is a name, and `_name_` is
    handled where names are read.
    """
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


def end_of_element(text: str, name: str, start: int) -> int:
    """Return the place behind the tag that closes an element, or -1."""
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE)
    close_tag = closing.search(text, start)
    return close_tag.end() if close_tag else -1


def _encloses_words(text: str, opening: re.Match[str], closing: re.Match[str]) -> bool:
    start, end = opening.end(), closing.start()
    if len(opening[0]) != len(closing[0]) or end - start > SENTENCE_CHARACTERS_MAX:
        return False
    inner = text[start:end]
    return len(inner.split(None, 1)) > 1 and not _BLANK_LINE.search(inner)
