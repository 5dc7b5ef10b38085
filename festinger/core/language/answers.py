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
        re.IGNORECASE,
    ),
    AnswerKind.NUMBER: re.compile(
        r"\bhow (?:many|much|long|often|big|large|high|far|old|fast)\b|\bwhat (?:size|price|port|version|limit)\b"
        r"|\bcosts?\b|\bprice\b|\bbudget\b|\bsize\b|\bversion\b|\bport\b|\blimits?\b|\bnumbers?\b",
        re.IGNORECASE,
    ),
    AnswerKind.PERSON: re.compile(
        r"\bwho(?:m|se|ever)?\b|\bsomebody\b|\bsomeone\b|\bassign\b|\bask\b|\bcontact\b",
        re.IGNORECASE,
    ),
    AnswerKind.PLACE: re.compile(
        r"\bwhere\b|\bwhich (?:host|server|room|folder|bucket|repo|place|branch)\b|\burl\b|\baddress\b|\bpaths?\b|\blink\b",
        re.IGNORECASE,
    ),
}
# "On friday at 9", any digit, "Carol owns it", "in the safe", "/data/v2".
_OFFERED: Final = {
    AnswerKind.TIME: re.compile(
        rf"\b\d{{1,2}}[:.]\d{{2}}\b|\b\d{{4}}-\d\d-\d\d\b|\b{WEEKDAY_FORM}(?:day)?s?\b"
        rf"|\b\d{{0,2}}(?:st|nd|rd|th)?\s*{MONTH_FORM}\b"
        r"|\b\d{1,2}\s?(?:am|pm)\b|\b(?:today|tomorrow|tonight|week|weekend|noon|midnight|morning|evening|afternoon)s?\b",
        re.IGNORECASE,
    ),
    AnswerKind.NUMBER: re.compile(r"\d"),
    AnswerKind.PERSON: re.compile(
        r"\b(?:call|ask|owns?|owner|contact|responsible|in charge|looks? after|boss|lead|takes? over|phone)\b",
        re.IGNORECASE,
    ),
    AnswerKind.PLACE: re.compile(
        r"\w/\w|\w\.\w+\.\w|\b(?:in|on|at|under|behind) (?:the|our|my|a)\b|\b(?:room|street|floor|host|server|bucket|folder)\b",
        re.IGNORECASE,
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
    for kind, pattern in patterns.items():
        if pattern.search(text):
            found |= kind
    return found
