"""Kinds of answers that questions ask for and that sentences contain."""

from __future__ import annotations

import re
from enum import IntFlag
from functools import lru_cache
from typing import Final

from festinger.core.graph.values.dates import MONTH_FORM, WEEKDAY_FORM


class AnswerKind(IntFlag):
    """Kinds of answers, as combinable flags."""

    TIME = 1
    """A day, a date, a time of day."""
    NUMBER = 2
    """A count, an amount, a duration."""
    PERSON = 4
    PLACE = 8
    """A location: an address, a path, a room."""


# "When is it due", "how many seats", "who owns it", "where is the wiki".
_ASKED: Final = {
    AnswerKind.TIME: re.compile(
        r"\b(?:when|what (?:time|day|date)|which (?:day|date|week|month)|by when|deadline|due|schedule|date|until)\b",
    ),
    AnswerKind.NUMBER: re.compile(
        r"\b(?:how (?:many|much|long|often|big|large|high|far|old|fast)"
        r"|costs?|price|budget|size|version|port|limits?|numbers?)\b",
    ),
    AnswerKind.PERSON: re.compile(
        r"\b(?:who(?:m|se|ever)?|somebody|someone|assign|ask|contact)\b",
    ),
    AnswerKind.PLACE: re.compile(
        r"\b(?:where|which (?:host|server|room|folder|bucket|repo|place|branch)|url|address|paths?|link)\b",
    ),
}
# "On friday at 9", any digit, "Carol owns it", "in the safe", "/data/v2".
_OFFERED: Final = {
    AnswerKind.TIME: re.compile(
        rf"\b(?:\d{{1,2}}[:.]\d{{2}}|\d{{4}}-\d\d-\d\d|{WEEKDAY_FORM}(?:day)?s?"
        rf"|\d{{0,2}}(?:st|nd|rd|th)?\s*{MONTH_FORM}"
        r"|\d{1,2}\s?(?:am|pm)|(?:today|tomorrow|tonight|week|weekend|noon|midnight|morning|evening|afternoon)s?)\b",
    ),
    AnswerKind.NUMBER: re.compile(r"\d"),
    AnswerKind.PERSON: re.compile(
        r"\b(?:call|ask|owns?|owner|contact|responsible|in charge|looks? after|boss|lead|takes? over|phone)\b",
    ),
    AnswerKind.PLACE: re.compile(
        r"\w/\w|\w\.\w+\.\w"
        r"|\b(?:(?:in|on|at|under|behind) (?:the|our|my|a)|room|street|floor|host|server|bucket|folder)\b",
    ),
}
NOTHING: Final = AnswerKind(0)


# Called once for each line that could be told, always with the same prompt.
@lru_cache(maxsize=200)
def asks_for(prompt: str) -> AnswerKind:
    """Return the kinds of answers that a prompt asks for."""
    return _kinds(_ASKED, prompt[-600:])  # the question ends a long prompt


# The same lines are candidates again for the next prompts.
@lru_cache(maxsize=2_000)
def offers(text: str) -> AnswerKind:
    """Return the kinds of answers that a sentence contains."""
    return _kinds(_OFFERED, text)


def _kinds(patterns: dict[AnswerKind, re.Pattern[str]], text: str) -> AnswerKind:
    found = NOTHING
    # The patterns are in lower case: ignoring case takes four times as long.
    text = text.lower()
    for kind, pattern in patterns.items():
        if pattern.search(text):
            found |= kind
    return found
