"""Character classes of the scanner.

A text is brought into NFC first. A *word character* is a letter, a decimal digit or
`_`, and a combining mark that follows one; letter numbers and superscripts
(Ⅷ, ²) and enclosed letters (Ⓐ) are not. Chinese and Japanese characters (Han,
Hiragana, Katakana) form runs of their own, because no space divides their words;
Hangul is divided by spaces and counts as ordinary letters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# One letter for each class, so that a text's classes are a string for regexes.
UPPER: Final = "U"  #: upper- or title-case letter
LETTER: Final = "L"  #: any other letter
DIGIT: Final = "D"  #: decimal digit
MARK: Final = "M"  #: combining mark
CJK: Final = "C"  #: Han, Hiragana or Katakana
OTHER: Final = "x"  #: anything else

#: Characters that are a class of their own, and the class letter of each. A typographic
#: apostrophe is an apostrophe, and a no-break space is a space.
THEMSELVES: Final = {
    "_": "_", ".": ".", "-": "-", "'": "'", "’": "'", "+": "+", "#": "#",
    " ": " ", "\u00a0": " ", "\n": "\n", "\r": "\r",
}  # fmt: skip

#: Combining marks in a row that are still brought into canonical order. Unicode's own
#: stream-safe limit; no language comes near it.
MARKS_IN_A_ROW_MAX: Final = 30

#: Characters right before or behind the parts of paths, addresses and variables.
PATH_MARKS: Final = "/\\~@$%=&"
#: The characters behind the scheme of an address.
ADDRESS: Final = "://"

_CJK_RANGES: Final = (
    (0x3005, 0x3007),  # iteration mark, closing mark, zero
    (0x3031, 0x3035),  # kana repeat marks
    (0x303B, 0x303C),
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # half-width Katakana
    (0x1AFF0, 0x1B16F),  # rare kana
    (0x20000, 0x323AF),  # rare Han
)


def classify(character: str) -> str:
    """Return the class letter of one character.

    Args:
        character: One code point. A lone surrogate is `OTHER`.
    """
    itself = THEMSELVES.get(character)
    if itself is not None:
        return itself
    category = unicodedata.category(character)
    if category[0] == "M":
        return MARK
    if category == "Nd":
        return DIGIT
    point = ord(character)
    # The zero 〇 is the one CJK character that Unicode does not count as a letter.
    if category[0] == "L" or point == 0x3007:
        if any(first <= point <= last for first, last in _CJK_RANGES):
            return CJK
        return UPPER if category in ("Lu", "Lt") else LETTER
    return OTHER


def is_inert(character: str) -> bool:
    """Return whether a text in NFC stays so when a character is inserted.

    The result may be False for a character that is inert. In the scripts that are
    tested here, only marks and Hangul's vowels and finals may compose with the
    character before them.
    """
    point = ord(character)
    return (
        not unicodedata.combining(character)
        and unicodedata.category(character)[0] != "M"
        and not 0x1100 <= point < 0x1200
        and not 0x10000 <= point < 0x1F000
        and unicodedata.is_normalized("NFC", character)
    )


def compose(text: str) -> str:
    """Bring a text into NFC, in time linear in its length.

    `unicodedata.normalize` sorts combining marks by insertion, which takes seconds
    for 20,000 of them in a row. So in a longer row than `MARKS_IN_A_ROW_MAX` the
    marks beyond that are left as they are.
    """
    # The check alone is linear: it gives up at the first mark out of order.
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    marks = "".join(c for c in set(text) if unicodedata.combining(c))
    if not marks:
        return unicodedata.normalize("NFC", text)
    allowed = MARKS_IN_A_ROW_MAX
    parts: list[str] = []
    done = 0
    for row in re.finditer(f"[{re.escape(marks)}]{{{allowed + 1},}}", text):
        head = text[done : row.start() + allowed]
        parts += (
            unicodedata.normalize("NFC", head),
            text[row.start() + allowed : row.end()],
        )
        done = row.end()
    parts.append(unicodedata.normalize("NFC", text[done:]))
    return "".join(parts)


def lower(word: str) -> str:
    """Return a word of the text in lower case, as tokens hold it.

    Python's `str.lower` with its final sigma, an apostrophe for a typographic one,
    and NFC again: the lower case of a composed pair may have a composed form of its
    own (J̌ has none, ǰ has).
    """
    if word.isascii():
        return word.lower()
    return compose(word.replace("’", "'").lower())
