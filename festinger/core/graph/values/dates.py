"""Days and periods; the date of relative days such as "yesterday", which is appended."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from festinger.core.system.wordsets import word_list

DAYS: Final = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS: Final = word_list("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
WEEKDAY_FORM: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)"
"""Regular expression of the begin of a weekday in lower case: `mon`, `tues`, `satur`."""
MONTH_FORM: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
"""Regular expression of a month in lower case, in full or abbreviated."""
_RELATIVE: Final = re.compile(
    r"\b(?P<word>the day before yesterday|yesterday|last night|this morning|tonight|today|tomorrow"
    r"|tmrw|the day after tomorrow"
    # Not if a date follows already, as in what we told.
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
DAY = 86_400.0
HALF_LIFE = 30 * DAY
"""Seconds in which the weight of a concept or an edge halves (D4)."""


def local_time(seconds: float) -> datetime:
    """Return a time in the zone of the machine, or of the environment's `TZ`.

    Who says "tomorrow" late in the evening means a day of theirs, not of UTC. A server has
    its speakers' zone: nothing that they send tells it.
    """
    return datetime.fromtimestamp(seconds).astimezone()


def resolve_days(text: str, said: float) -> str:
    """Return a text in which each relative day is followed by its date.

    Args:
        said: Time at which it was said, in seconds since the epoch.
    """
    if not _RELATIVE.search(text):  # nearly no text has one
        return text
    today = local_time(said)

    def dated(match: re.Match[str]) -> str:
        """Return the relative word followed by its date."""
        day = today + timedelta(days=_offset(match, today.weekday()))
        return f"{match['word']} [{day.day} {MONTHS[day.month - 1]}]"

    return _RELATIVE.sub(dated, text)


def _offset(match: re.Match[str], weekday: int) -> int:
    """Return the number of days between the day of speaking and a relative day."""
    if not match["day"]:
        return _OFFSETS[match["word"].lower()]
    ahead = (DAYS.index(match["day"].title()) - weekday) % 7  # days ahead, 0 to 6
    which = match["which"].lower()
    if which == "last":
        return ahead - 7  # strictly before today
    # On a Monday, "next Monday" is a week ahead, and "this Monday" is today.
    return ahead or (7 if which == "next" else 0)
