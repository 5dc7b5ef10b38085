"""What stands around a statement's sentence: above it, right before it, or behind it.

"Which of these is true?", "Requirements:" and "He said:" on a line of their own mean
what they would mean on the statement's own line; and "Right?" behind it asks.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import dropwhile
from operator import or_
from typing import Final

from festinger._fast.values import HIDDEN, OPAQUE
from festinger.core.cues import words
from festinger.core.cues.lists import (
    CONDITIONALS,
    DENIALS,
    FALSE_LABELS,
    HEDGES,
    INSTRUCTIONS,
    LABELS,
    LISTS,
    MODALS,
    OPENERS,
    OPENING,
)

_REACH: Final = 600
"""Characters behind a line within which it is looked for above a statement."""

_WORDS_MAX: Final = 40
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]")
_SENTENCE: Final = re.compile(r"[.!?;][ \t]+|\n")
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
#: How a word begins that may take back the sentence before it: hardly any does.
_BEGINNINGS: Final = frozenset(
    ["tr", "ri", "co", "ye", "ca", "is", "wr", "fa", "no", "ju", "ki", "jk"]
)
_AFTERWARDS: Final = re.compile(
    r"[.!]?[ \t]+(?:"
    r"(?P<asked>true or false|right|correct|true|yes|can you confirm(?: that| this)?"
    r"|(?:is|isn['\u2019]t) (?:that|this|it) (?:right|correct|true|so))[ \t]*\?"
    r"|(?:wrong|false|not|nope|just kidding|kidding|jk)[ \t]*(?:[.!]|\n|\Z))",
    re.I,
)


def around(text: str, start: int, end: int) -> str:
    """Say why what stands around a statement's sentence takes the statement back.

    Args:
        text: The prose, with what is none of it blotted out.
        start: Where the sentence begins.
        end: Where its last word ends.

    Returns:
        The reason, one word; "" if there is none.
    """
    if start and _is_struck(text, start):
        return "denied"
    if _may_take_back(text, end):
        afterwards = _AFTERWARDS.match(text, end)
        if afterwards is not None:
            return "question" if afterwards["asked"] else "denied"
    return _above(text, start)


def _is_struck(text: str, start: int) -> bool:
    """Whether a cross stands before a statement, or the mark of a changed line."""
    before = text[start - 1]
    if before == "+" or before == "-":
        return start == 1 or text[start - 2] == "\n"
    if before == " " and start > 1:
        before = text[start - 2]
    return before in "❌✗✘🚫"


def _may_take_back(text: str, end: int) -> bool:
    """Whether the word behind a sentence begins as one of those that take it back."""
    at = end
    if at < len(text) and (text[at] == "." or text[at] == "!"):
        at += 1
    if at + 1 >= len(text) or text[at] != " ":
        return False
    if text[at + 1] not in "TtRrCcYyIiWwFfNnJjKk":
        return False
    return text[at + 1 : at + 3].lower() in _BEGINNINGS


def _above(text: str, start: int) -> str:
    """Judge the nearest line above that ends in a colon or a question mark."""
    low = max(0, start - _REACH)
    label = max(_ending(text, ":", low, start), _ending(text, "\uff1a", low, start))
    asked = max(_ending(text, "?", low, start), _ending(text, "\uff1f", low, start))
    last = max(label, asked)
    if last < 0:
        return ""
    between = text[text.index("\n", last) + 1 : start]
    if not _reaches(between):
        return ""
    said = _SENTENCE.split(text[low:last])[-1]
    return _labels(said) if label > asked else _asks(said, between)


def _ending(text: str, mark: str, low: int, start: int) -> int:
    """Where the last line ends in a mark, but for blanks and emphasis; -1 for none."""
    at = text.rfind(mark, low, start)
    while at >= 0:
        end = at + 1
        while end < start and text[end] in " \t\r*_":
            end += 1
        if end < start and text[end] == "\n":
            return at
        at = text.rfind(mark, low, at)
    return -1


def _reaches(between: str) -> bool:
    """Whether a line still leads what comes so far behind it.

    It leads one paragraph, which a blank line may part from it, or the items of a list.
    """
    if HIDDEN in between or OPAQUE in between:
        return False  # it led to code, or to a quotation
    _, *further = _BLANK_LINE.split(between.lstrip("\n\r \t"))
    return all(_ITEM.match(paragraph) for paragraph in further)


def _asks(line: str, between: str) -> str:
    """A question is about the items of a list, or says that it is about what follows."""
    item = _ITEM.match(between.lstrip("\n\r"))
    about = not words.ABOUT.isdisjoint(_words(line))
    return "question" if item or about else ""


def _labels(line: str) -> str:
    """Judge a label, as if the statement stood behind it on the same line."""
    listed = map(LISTS.of, _words(line))
    lists = list(dropwhile(lambda each: each & OPENING, listed))
    if not lists:
        return ""
    begins, said = lists[0], reduce(or_, lists)
    if said & CONDITIONALS:
        return "conditional"
    if said & HEDGES:
        return "hedged"
    if said & MODALS:
        return "modal"
    if said & DENIALS:
        return "denied"
    if said & FALSE_LABELS:
        return "example"
    instructs = begins & (OPENERS | INSTRUCTIONS) and not begins & LABELS
    return "instruction" if instructs else ""


def _words(line: str) -> list[str]:
    return _WORD.findall(line.lower().replace("\u2019", "'"))[-_WORDS_MAX:]
