"""Check the context of a statement's sentence: the text above, before and behind it.

"Which of these is true?", "Requirements:" and "He said:" on a line of their own mean
the same as on the statement's own line; and "Right?" behind it makes it a question.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import dropwhile
from operator import or_
from typing import Final

from festinger._fast.values import LED, LED_CHARACTERS_MAX, REMARKED, STRUCK
from festinger.core.language.cues import words
from festinger.core.language.cues.lists import (
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

_WORDS_MAX: Final = 40  # of the end of a long line
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+\u2022]|[0-9]\d{0,2}[.)])[ \t]")
_SENTENCE: Final = re.compile(r"[.!?;][ \t]+|\n")
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# "… . Right?" asks, "… . Just kidding" denies; "right away, then" does neither.
_AFTERWARDS: Final = re.compile(
    r"[.!]?[ \t]+(?:"
    r"(?P<asked>true or false|right|correct|true|yes|can you confirm(?: that| this)?"
    r"|(?:is|isn['\u2019]t) (?:that|this|it) (?:right|correct|true|so))[ \t]*\?"
    r"|(?:wrong|false|not|nope|just kidding|kidding|jk)[ \t]*(?:[.!]|\n|\Z))",
    re.I,
)


def around(text: str, start: int, end: int, surroundings: int) -> str:
    """Return in one word why the context of a sentence retracts its statement; or "".

    Args:
        text: The prose, with everything else blanked out.
        start: Begin of the sentence.
        end: End of its last word.
        surroundings: Flags of the context, from `Sentence.surroundings`.
    """
    if surroundings & STRUCK:  # "❌ …", or a line of a diff
        return "denied"
    if surroundings & REMARKED:
        afterwards = _AFTERWARDS.match(text, end)
        if afterwards is not None:
            return "question" if afterwards["asked"] else "denied"
    return _above(text, start) if surroundings & LED else ""


def _above(text: str, start: int) -> str:
    """Return the reason in the line that introduces a statement's line; "" for none."""
    low = max(0, start - LED_CHARACTERS_MAX)
    line = text.rfind("\n", low, start)
    listed = False
    while line > low:
        last = _last_above(text, low, line)
        if last < low:
            return ""
        above = text.rfind("\n", low, last)
        # Upwards over the items of a list, until a line ends as an introduction does.
        if text[last] == ":" or text[last] == "?":
            # Not beyond the limit, however long the line is.
            said = _SENTENCE.split(text[max(low, above + 1) : last])[-1]
            listed = listed or _is_item(text, line + 1)
            return _labels(said) if text[last] == ":" else _asks(said, listed)
        parted = text.find("\n", last, line) >= 0
        # Behind a blank line only the items of a list go on.
        if parted and not _is_item(text, line + 1):
            return ""
        if not _is_item(text, above + 1):
            return ""
        line, listed = above, True
    return ""


def _last_above(text: str, low: int, line: int) -> int:
    """Return the end of the last line above, without blanks and emphasis marks."""
    last = line - 1
    while last >= low and text[last] in " \t\r\n*_":
        last -= 1
    return last


def _is_item(text: str, at: int) -> bool:
    """Return whether a line is an item of a list."""
    return _ITEM.match(text, at) is not None


def _asks(line: str, listed: bool) -> str:
    """Return "question" for a question about list items or about what follows."""
    # "Which of these is true?" asks about what follows, "how are you?" does not.
    about = not words.ABOUT.isdisjoint(_words(line))
    return "question" if listed or about else ""


def _labels(line: str) -> str:
    """Return the reason in a label, as if the statement were on the same line."""
    listed = map(LISTS.of, _words(line))
    # Introductory words make no label of their own: "also, please note:".
    lists = list(dropwhile(lambda each: each & OPENING, listed))
    if not lists:
        return ""
    said = reduce(or_, lists)
    return reason_within(said) or reason_of_label(lists[0], said)


def reason_within(said: int) -> str:
    """Return the reason in words beside a statement, by their lists; "" for none."""
    if said & CONDITIONALS:
        return "conditional"
    if said & HEDGES:
        return "hedged"
    if said & MODALS:
        return "modal"
    return "denied" if said & DENIALS else ""


def reason_of_label(begins: int, said: int) -> str:
    """Return the reason in a label, by the lists of its first and of all words."""
    if said & FALSE_LABELS:  # "Rumor: gnommoweb is a repo"
        return "example"
    # "Translate: gnommoweb is a dragon" gives material.
    instructs = begins & (OPENERS | INSTRUCTIONS) and not begins & LABELS
    return "instruction" if instructs else ""


def _words(line: str) -> list[str]:
    return _WORD.findall(line.lower().replace("\u2019", "'"))[-_WORDS_MAX:]
