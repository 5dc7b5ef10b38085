"""Marks around a sentence that may retract it.

They are rare, so these tests are quick and approximate. The rules of the cues decide
whether a mark really retracts the sentence.
"""

from __future__ import annotations

from typing import Final

from festinger._fast.values import LED, LED_CHARACTERS_MAX, REMARKED, STRUCK

#: First letters of the words that may retract the sentence before them.
_REMARKS: Final = frozenset(
    ["tr", "ri", "co", "ye", "ca", "is", "wr", "fa", "no", "ju", "ki", "jk"]
)
_REMARKED: Final = _REMARKS | {begins.capitalize() for begins in _REMARKS}


def surroundings_of(text: str, start: int, end: int) -> int:
    """Return the marks around a sentence, as bits of `marks`.

    Args:
        text: The prose.
        start: Offset of the first character of the sentence's first word.
        end: Offset behind its last word.
    """
    found = STRUCK if _is_struck(text, start) else 0
    found |= REMARKED if _may_be_remarked(text, end) else 0
    return found | (LED if _may_be_led(text, start) else 0)


def _is_struck(text: str, start: int) -> bool:
    """Return whether a cross or the mark of a changed line precedes a sentence."""
    if start == 0:
        return False
    before = text[start - 1]
    if before in "+-":
        return start == 1 or text[start - 2] == "\n"
    if before == " " and start > 1:
        before = text[start - 2]
    return before in "❌✗✘🚫"


def _may_be_remarked(text: str, end: int) -> bool:
    """Return whether the word behind a sentence begins like one that retracts it."""
    if text[end : end + 1] in (".", "!"):
        end += 1
    return text[end : end + 1] == " " and text[end + 1 : end + 3] in _REMARKED


def _may_be_led(text: str, start: int) -> bool:
    """Return whether the line above may introduce a sentence, or is a list's item.

    An item may be introduced by the line above the first item.
    """
    low = max(0, start - LED_CHARACTERS_MAX)
    last = text.rfind("\n", low, start)
    while last >= low and text[last] in " \t\r\n*_":
        last -= 1
    if last < low:
        return False
    if text[last] in ":?":
        return True
    line = text.rfind("\n", low, last) + 1
    if line == 0:
        return False
    while line < last and text[line] in " \t":
        line += 1
    return text[line] in "-*+•0123456789"
