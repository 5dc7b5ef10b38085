"""Names and sentences of unknown origin, as they can be put into a question (E4).

Whatever platform shows it: nobody is called, nothing is marked up, nothing is hidden, and
nothing looks like something that we say.
"""

from __future__ import annotations

import re
import unicodedata

from festinger.core.graph.tokens import RENDERED_CHARACTERS_MAX, RENDERED_WORDS_MAX

QUOTED_CHARACTERS_MAX = 200
ELLIPSIS = "\u2026"

_LOOKALIKES = str.maketrans(
    {
        "@": "\uff20",  # calls nobody
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
        "&": "\uff06",  # no entity is made of it
        "\u201c": "'",
        "\u201d": "'",
        '"': "'",
    }
)
# At a word's edge it makes slanted letters; inside it is a letter like others.
_EDGE = re.compile(r"(?<!\w)_+|_+(?!\w)|__+")
_IN_NAMES = frozenset("_.+#'- ")
# What stands between the letters of a name, where it does not.
_STRAY = re.compile(r"(?<![\w+#])[#+]+|(?<!\w)[.'-]+|[.'-]+(?!\w)")


def visible(text: str) -> str:
    """A text on one line, composed, without what cannot be seen or turns it around.

    Marks that belong to no letter, or are piled upon one, are left out.
    """
    line: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category[0] == "M":
            marks += 1
            if not line or marks > 2 or character in _SHOWS_NOTHING:
                continue
        elif category[0] == "Z" or category == "Cc":
            character, marks = " ", 0
        elif category[0] == "C" or character in _SHOWS_NOTHING:
            continue
        else:
            marks = 0
        line.append(character)
    return " ".join("".join(line).split())


_SHOWS_NOTHING = frozenset(
    map(
        chr,
        [
            0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F,
            0x2800, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10),
        ],
    )
)  # fmt: skip


def name_of(text: str, otherwise: str = "") -> str:
    """A name as it can stand in a sentence of ours: at most five words, 64 characters.

    Args:
        otherwise: What it is called if nothing of it is left.
    """
    known = (each if _may_name(each) else " " for each in visible(text))
    plain = _STRAY.sub(" ", _EDGE.sub(" ", "".join(known)))
    # What was between two words may have been the only thing there.
    words = _STRAY.sub(" ", " ".join(plain.split())).split()
    name = " ".join(words[:RENDERED_WORDS_MAX])
    return cut(name, RENDERED_CHARACTERS_MAX) or otherwise


def _may_name(character: str) -> bool:
    """Whether it is a letter, a mark, a digit, or may stand between them."""
    return (
        character.isalnum()
        or character in _IN_NAMES
        or unicodedata.category(character)[0] == "M"
    )


def quoted(text: str, characters_max: int = QUOTED_CHARACTERS_MAX) -> str:
    """What somebody else said, between quotation marks, cut at a word's end."""
    plain = visible(text).translate(_LOOKALIKES)
    # Nothing becomes a link.
    plain = _EDGE.sub(" ", plain.replace("://", " //"))
    return f"\u201c{cut(' '.join(plain.split()), characters_max)}\u201d"


def cut(text: str, characters_max: int) -> str:
    """As much of a text as there is room for, to a word's end, with three dots behind."""
    if len(text) <= characters_max:
        return text
    head = text[: characters_max - 1]
    # A single word of that length is cut where it must be.
    whole = head if text[characters_max - 1] == " " else head.rpartition(" ")[0]
    return (whole or head).rstrip(" ,;:-") + ELLIPSIS
