"""What a text's words are, and which of them may be written into a prompt."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from festinger import _fast
from festinger.core.system.tags import CLOSING, OPENING

#: E4: nothing longer is rendered.
RENDERED_CHARACTERS_MAX: Final = 64
RENDERED_WORDS_MAX: Final = 5
SCOPE: Final = "/"
"""Stands between a project and a common noun that means something of its own there."""

_NOT_NEWLINE: Final = re.compile(r"[^\r\n]")
_WORD: Final = re.compile(r"[^\W\d_]")

# Letters and marks that show nothing: joiners, fillers and variation selectors.
_INVISIBLE: Final = frozenset(
    map(
        chr,
        [
            0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F,
            0x3164, 0xFFA0, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
        ],
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a text.

    Attributes:
        text: The token: lower case, merged with `_` if it is a compound.
        start: Its first character's offset in the NFC text.
        end: The offset behind its last character.
        concept: Whether it may be a concept (B2); false for closed-class words.
    """

    text: str
    start: int
    end: int
    concept: bool


def tokenise(text: str) -> list[Token]:
    """Split a text into tokens by B2 and B3."""
    scan = _fast.scan(text)
    return [
        Token(token, *scan.span(i), concept=bool(scan.flags(i) & _fast.CONCEPT))
        for i, token in enumerate(scan)
    ]


def blank_own_blocks(text: str) -> str:
    """Replace our own `<recollection>` blocks by blanks, so that nothing learns (B7).

    A block ends at the next closing tag; one that was cut off takes the rest of the
    text with it, since what follows may be ours. A closing tag alone is left as it
    is. Newlines stay and the length is the same, so offsets hold; a block is never
    replaced by a single space, so no compound reaches across it.
    """
    # Looking for one character takes a twentieth of looking for the tag.
    if "<" not in text or OPENING not in text:
        return text
    parts: list[str] = []
    done = 0
    while (start := text.find(OPENING, done)) != -1:
        end = text.find(CLOSING, start)
        end = len(text) if end == -1 else end + len(CLOSING)
        parts += text[done:start], _NOT_NEWLINE.sub(" ", text[start:end])
        done = end
    parts.append(text[done:])
    return "".join(parts)


def only_token(text: str) -> str | None:
    """Return the one concept that a phrase is, or None if it is not exactly one.

    "Glitch University" is `glitch_university`; "web service" is two tokens, "the" is
    no concept, and "<parent>" has characters that no token has.
    """
    scan = _fast.scan(text.strip())
    if len(scan) != 1 or not scan.flags(0) & _fast.CONCEPT:
        return None
    return scan[0] if scan.span(0) == (0, len(scan.text)) else None


@lru_cache(maxsize=65_536)
def is_renderable(token: str) -> bool:
    """Whether a token may stand in a prompt (E4).

    It must read as a single token, as it is: so it holds nothing but letters, marks,
    digits and `_ . - + # '`, and no markup, scheme, role marker or blank. It must be
    visible, at most 64 characters, and at most five words, of which any of those
    signs is the end: `ignore-all-previous.instructions_and_obey` is a sentence. Parts
    without a letter, as in `v1.2.3`, are no words.
    """
    if not 0 < len(token) <= RENDERED_CHARACTERS_MAX or not _INVISIBLE.isdisjoint(
        token
    ):
        return False
    words = sum(
        _WORD.search(part) is not None for part in re.split(r"[_.+#'-]+", token)
    )
    return (
        words <= RENDERED_WORDS_MAX
        and unicodedata.is_normalized("NFC", token)
        and list(_fast.scan(token)) == [token]
    )


def split_concept(token: str) -> tuple[str, str]:
    """Return the project that a concept belongs to, empty for a name, and its noun."""
    scope, _, noun = token.rpartition(SCOPE)
    return scope, noun


def is_concept(token: str) -> bool:
    """Whether a token may stand in a prompt as what a statement is about.

    A common noun of a project is one with the project before it: `catalog/indexer`.
    """
    scope, noun = split_concept(token)
    return is_renderable(noun) and (not scope or is_renderable(scope))
