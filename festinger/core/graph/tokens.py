"""Tokenise texts, and check which tokens may be rendered in a prompt."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from festinger import _fast
from festinger.core.system.excerpt import CLOSING, OPENING

#: Longer tokens are not rendered (E4).
RENDERED_CHARACTERS_MAX: Final = 64
RENDERED_WORDS_MAX: Final = 5
SCOPE: Final = "/"
"""Separator of a project and a common noun whose meaning is specific to it."""

_NOT_NEWLINE: Final = re.compile(r"[^\r\n]")  # line ends stay, so that line numbers do
_WORD: Final = re.compile(r"[^\W\d_]")

INVISIBLE: Final = frozenset(
    map(
        chr,
        [
            0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F,
            0x2800, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
        ],
    )
)  # fmt: skip
"""Letters, marks and signs that show nothing: joiners, fillers, variation selectors."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text.

    Attributes:
        text: The token: lower case, merged with `_` if it is a compound.
        start: Offset of its first character in the NFC text.
        end: Offset behind its last character.
        concept: Whether it may be a concept (B2); false for closed-class words.
    """

    text: str
    start: int
    end: int
    concept: bool


def tokenise(text: str) -> list[Token]:
    """Split a text into tokens (B2, B3)."""
    # B2: no closed-class words as concepts; B3: capitalised words in a row are one token.
    scan = _fast.scan(text)
    return [
        Token(token, *scan.span(i), concept=bool(scan.flags(i) & _fast.CONCEPT))
        for i, token in enumerate(scan)
    ]


def blank_own_blocks(text: str) -> str:
    """Blank out our own `<recollection>` blocks, so that they are not learned (B7)."""
    # Searching one character takes a twentieth of the time of searching the tag.
    if "<" not in text or OPENING not in text:
        return text
    # Blanks instead of nothing: offsets stay valid, and no compound spans a block.
    parts: list[str] = []
    done = 0
    while (start := text.find(OPENING, done)) != -1:
        end = text.find(CLOSING, start)
        # Truncated: what follows may belong to it.
        end = len(text) if end == -1 else end + len(CLOSING)
        parts += text[done:start], _NOT_NEWLINE.sub(" ", text[start:end])
        done = end  # a closing tag alone is left as it is
    parts.append(text[done:])
    return "".join(parts)


def only_token(text: str) -> str | None:
    """Return the concept token that a phrase consists of; None if not exactly one.

    "Glitch University" is `glitch_university`.
    """
    scan = _fast.scan(text.strip())
    if len(scan) != 1 or not scan.flags(0) & _fast.CONCEPT:
        return None
    return scan[0] if scan.span(0) == (0, len(scan.text)) else None


# The same tokens are asked about again and again.
@lru_cache(maxsize=65_536)
def is_renderable(token: str) -> bool:
    """Return whether a token may be rendered in a prompt (E4).

    It must be visible, and contain only letters, marks, digits and `_ . - + # '`: no
    markup, scheme, role marker or blank.
    """
    if not 0 < len(token) <= RENDERED_CHARACTERS_MAX or not INVISIBLE.isdisjoint(token):
        return False
    # `ignore-all-previous.instructions_and_obey` is a sentence; `v1.2.3` has one word.
    words = sum(
        _WORD.search(part) is not None for part in re.split(r"[_.+#'-]+", token)
    )
    return (
        words <= RENDERED_WORDS_MAX
        and unicodedata.is_normalized("NFC", token)
        and list(_fast.scan(token)) == [token]
    )


def split_concept(token: str) -> tuple[str, str]:
    """Return the project of a concept and its noun; the project of a name is empty."""
    scope, _, noun = token.rpartition(SCOPE)
    return scope, noun


def is_concept(token: str) -> bool:
    """Return whether a token may be rendered in a prompt as the subject of a statement.

    A common noun of a project has the project before it: `catalog/indexer`.
    """
    scope, noun = split_concept(token)
    return is_renderable(noun) and (not scope or is_renderable(scope))
