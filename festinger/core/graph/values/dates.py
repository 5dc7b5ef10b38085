"""Say which day "yesterday" was, so that a sentence can be read on another day."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

DAYS: Final = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
]
MONTHS: Final = [
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
]
_RELATIVE: Final = re.compile(
    r"\b(?P<word>the day before yesterday|yesterday|last night|this morning|tonight|today|tomorrow"
    r"|tmrw|the day after tomorrow"
    rf"|(?P<which>last|next|this) (?P<day>{'|'.join(DAYS)}))\b(?!\s*[\[(])",
    re.IGNORECASE,
)
_OFFSETS: Final = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "this morning": 0,
    "tonight": 0,
    "today": 0,
    "tomorrow": 1,
    "tmrw": 1,
    "the day after tomorrow": 2,
}


def resolve_days(text: str, said: float, zone: tzinfo = UTC) -> str:
    """Return a text in which relative days have their date behind them.

    Args:
        said: When it was said, in seconds since the epoch.
        zone: In which the speaker's day began.
    """
    if not _RELATIVE.search(text):
        return text
    today = datetime.fromtimestamp(said, zone)

    def dated(match: re.Match[str]) -> str:
        day = today + timedelta(days=_offset(match, today.weekday()))
        return f"{match['word']} [{day.day} {MONTHS[day.month - 1]}]"

    return _RELATIVE.sub(dated, text)


def _offset(match: re.Match[str], weekday: int) -> int:
    """Return how many days from the day it was said a word is."""
    if not match["day"]:
        return _OFFSETS[match["word"].lower()]
    ahead = (DAYS.index(match["day"].title()) - weekday) % 7
    which = match["which"].lower()
    if which == "last":
        return ahead - 7
    # Said on a Monday, "next Monday" is a week away, and "this Monday" today.
    return ahead or (7 if which == "next" else 0)
