"""What stands around a sentence that may take it back.

Hardly anything does, so these are the quick questions: whether what is there really
takes it back is for the rules of the cues to say.
"""

from __future__ import annotations

from typing import Final

from ..marks import LED, REMARKED, STRUCK
from ..values import LED_CHARACTERS_MAX

#: How a word begins that may take back the sentence before it.
_REMARKS: Final = frozenset(
    ["tr", "ri", "co", "ye", "ca", "is", "wr", "fa", "no", "ju", "ki", "jk"]
)
_REMARKED: Final = _REMARKS | {begins.capitalize() for begins in _REMARKS}


def surroundings_of(text: str, start: int, end: int) -> int:
    """Say what stands around a sentence, as `marks` has it.

    Args:
        text: The prose.
        start: Where the sentence's first word begins.
        end: Where its last word ends.
    """
    found = STRUCK if _is_struck(text, start) else 0
    found |= REMARKED if _may_be_remarked(text, end) else 0
    return found | (LED if _may_be_led(text, start) else 0)


def _is_struck(text: str, start: int) -> bool:
    """Whether a cross stands before a sentence, or the mark of a changed line."""
    if start == 0:
        return False
    before = text[start - 1]
    if before in "+-":
        return start == 1 or text[start - 2] == "\n"
    if before == " " and start > 1:
        before = text[start - 2]
    return before in "❌✗✘🚫"


def _may_be_remarked(text: str, end: int) -> bool:
    """Whether the word behind a sentence begins as one of those that take it back."""
    if text[end : end + 1] in (".", "!"):
        end += 1
    return text[end : end + 1] == " " and text[end + 1 : end + 3] in _REMARKED


def _may_be_led(text: str, start: int) -> bool:
    """Whether the line above ends as one that leads to what follows, or is an item.

    An item may be led to by what is above the first of them.
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
