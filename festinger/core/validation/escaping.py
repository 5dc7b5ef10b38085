"""Sanitisation of untrusted names and sentences for questions (E4).

On any platform, the result mentions nobody, contains no markup, links or invisible
characters, and cannot be mistaken for the server's own text.
"""

from __future__ import annotations

import re
import unicodedata

from festinger.core.graph.tokens import (
    INVISIBLE,
    RENDERED_CHARACTERS_MAX,
    RENDERED_WORDS_MAX,
)

QUOTED_CHARACTERS_MAX = 200
ELLIPSIS = "\u2026"

_LOOKALIKES = str.maketrans(
    {
        "@": "\uff20",  # no mention
        "<": "\u2039",
        ">": "\u203a",
        "[": "(",
        "]": ")",
        "{": "(",
        "}": ")",
        "*": "\u2217",
        "`": "'",
        "~": "\u223c",
        "|": "\u00a6",
        "\\": "/",
        "#": "\uff03",
        "&": "\uff06",  # no character entity
        "\u201c": "'",
        "\u201d": "'",
        '"': "'",
    }
)
# At a word's edge an underscore is markup for italics; inside a word it is harmless.
_EDGE = re.compile(r"(?<!\w)_+|_+(?!\w)|__+")
_IN_NAMES = frozenset("_.+#'- ")
# Characters that are allowed inside a name, in places where they are not.
_STRAY = re.compile(r"(?<![\w+#])[#+]+|(?<!\w)[.'-]+|[.'-]+(?!\w)")


def visible(text: str) -> str:
    """Return a text on one line, in NFC, without invisible and directional characters.

    Combining marks without a base character, and more than two on one, are left out.
    """
    line: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category[0] == "M":
            marks += 1
            if not line or marks > 2 or character in INVISIBLE:
                continue
        elif category[0] == "Z" or category == "Cc":
            character, marks = " ", 0
        elif category[0] == "C" or character in INVISIBLE:
            continue
        else:
            marks = 0
        line.append(character)
    return " ".join("".join(line).split())


def name_of(text: str, otherwise: str = "") -> str:
    """Return a name that is safe in a sentence: at most five words, 64 characters.

    Args:
        otherwise: The name to return if nothing is left.
    """
    known = (
        each
        if (each.isalnum() or each in _IN_NAMES or unicodedata.category(each)[0] == "M")
        else " "
        for each in visible(text)
    )
    plain = _STRAY.sub(" ", _EDGE.sub(" ", "".join(known)))
    # A removal may leave further characters at the edge of a word.
    words = _STRAY.sub(" ", " ".join(plain.split())).split()
    name = " ".join(words[:RENDERED_WORDS_MAX])
    return cut(name, RENDERED_CHARACTERS_MAX) or otherwise


def quoted(text: str, characters_max: int = QUOTED_CHARACTERS_MAX) -> str:
    """Return a text in quotation marks, sanitised and cut at the end of a word."""
    plain = visible(text).translate(_LOOKALIKES)
    # Without a scheme, no platform makes a link of it.
    plain = _EDGE.sub(" ", plain.replace("://", " //"))
    return f"\u201c{cut(' '.join(plain.split()), characters_max)}\u201d"


def cut(text: str, characters_max: int) -> str:
    """Cut a text that is too long at the end of a word, and append an ellipsis."""
    if len(text) <= characters_max:
        return text
    head = text[: characters_max - 1]
    # A single word that is too long is cut inside.
    whole = head if text[characters_max - 1] == " " else head.rpartition(" ")[0]
    return (whole or head).rstrip(" ,;:-") + ELLIPSIS
