"""Values that a sentence says are no more: `friday and not thursday`, `8 instead of 5`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from festinger.core.graph.values.dates import MONTH_FORM, WEEKDAY_FORM

_DAY: Final = rf"{WEEKDAY_FORM}(?:days?)?"
_WEEKDAY: Final = re.compile(_DAY, re.IGNORECASE)
_ORDINAL: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
# "Not 46", "instead of 5 minutes", "isn't with Holt any more", "from 9:30 to 10".
_WORD: Final = r"[^\W_](?:[\w’'./:%€$£-]|,(?=\d))*"
_BETWEEN: Final = (
    r"(?:(?:the|a|an|my|our|his|her|their|at|in|on|with|by|to|for|till|until)\s+)*"
)
_DENIED: Final = re.compile(
    rf"\b(?:not|no longer|instead of|rather than)\s+{_BETWEEN}(?P<not>[$€£]?{_WORD})"
    rf"|n['’]t\s+{_BETWEEN}(?P<more>[$€£]?{_WORD})(?=[^,;.]{{0,40}}\b(?:any ?more|any longer)\b)"
    # With a comma, "no, tuesday" says the day that holds.
    rf"|\bno\s+(?P<no>{_DAY})(?=\s*[,;.]\s+(?:but|now|it['’]?s|only)\b)"
    rf"|\bno more\s+(?P<last>{_DAY})\b"
    rf"|\bfrom\s+(?P<from>[$€£]?{_WORD})(?=\s(?:\w+\s)?to\s[$€£]?[\dA-Z])"
)


@lru_cache(maxsize=2_000)
def denied_values(text: str) -> tuple[str, ...]:
    """Return the numbers, days and names that a sentence denies, one word of each."""
    found = (
        next(filter(None, match.groups())).rstrip(".:'’/-")
        for match in _DENIED.finditer(text)
    )
    # "Not yet", "not sure": only what is written like a value can be one.
    return tuple(
        it
        for it in found
        if any(map(str.isdigit, it)) or it[:1].isupper() or is_day(it)
    )


def is_day(value: str) -> bool:
    """Return whether a value is a weekday or a day of a month: `mondays`, `14th`."""
    return bool(_WEEKDAY.fullmatch(value) or _ORDINAL.fullmatch(value))


def has_value(text: str, value: str) -> bool:
    """Return whether a text has a value as a word of its own, and not within another."""
    form = re.escape(value)
    if _WEEKDAY.fullmatch(value):
        # "Mon" and "mondays" are one day; who sat in the sun names none.
        short = "" if value[:3].lower() in ("sat", "sun") else "?"
        form = rf"{value[:3]}(?:s|nes|rs?|ur)?(?:days?){short}"
    elif ordinal := _ORDINAL.fullmatch(value):
        day = ordinal[1]
        form = rf"(?:{day}(?:st|nd|rd|th)|{day} {MONTH_FORM}|{MONTH_FORM} {day})"
    pattern = rf"(?<![\w.,:$€£-]){form}(?![\w-]|[.,:]\d)"
    return re.search(pattern, text, re.IGNORECASE) is not None
