"""Ranges of dates: `15 Jun to 22 Jun`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from festinger.core.graph.values.dates import MONTHS
from festinger.core.graph.values.kinds import ValueKind
from festinger.core.graph.values.moments import TO, read_moment
from festinger.errors import NotAValueError

# Most texts have a hyphen or "to" between other things: nothing of those is a date.
_DATED: Final = re.compile(rf"\d[./]\s?\d|\d-\d\d|{'|'.join(MONTHS)}", re.IGNORECASE)
# A day whose month stands at the other end: "15-22 June", "June 15-22, 2026".
_DAY: Final = re.compile(
    r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?(?:,? (?P<year>(?:19|20)\d\d))?",
    re.IGNORECASE,
)
# Dates as `read_moment` returns them, without a time.
_DATE: Final = re.compile(
    r"(?P<iso>\d{4}-\d\d-\d\d)|(?:(?P<day>\d{1,2}) )?(?P<month>[A-Z][a-z]{2})"
    r"(?: (?P<year>\d{4}))?"
)


class _RangeEnd(NamedTuple):
    """One end of a range; 0 for a part that is not written there."""

    year: int
    month: int
    day: int


def read_date_range(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of a range of dates, or of months; None if it is none.

    Month and year may be written at one end only: `15-22 June 2026`.

    Raises:
        NotAValueError: A day does not exist, or the range ends before it begins.
    """
    if not _DATED.search(text):
        return None
    for between in TO.finditer(text):
        try:
            first = _end(text[: between.start()])
        except NotAValueError:  # "today - or later"
            continue
        last = _end(text[between.end() :]) if first else None
        if first and last and (token := _between(first, last)):
            return ValueKind.DATE, token
    return None


def _end(text: str) -> _RangeEnd | None:
    if found := _DAY.fullmatch(text):
        return _RangeEnd(int(found["year"] or 0), 0, int(found["day"]))
    read = read_moment(text)
    found = _DATE.fullmatch(read[1]) if read else None
    if not found:
        return None
    if found["iso"]:
        return _RangeEnd(*map(int, found["iso"].split("-")))
    month = MONTHS.index(found["month"]) + 1 if found["month"] in MONTHS else 0
    return _RangeEnd(int(found["year"] or 0), month, int(found["day"] or 0))


def _between(first: _RangeEnd, last: _RangeEnd) -> str:
    """Return the token of a range; empty if its ends are not both days or months."""
    # "5-10" is no range of dates, nor is "15 to June".
    if not (first.month or last.month) or bool(first.day) != bool(last.day):
        return ""
    first = first._replace(month=first.month or last.month)
    last = last._replace(month=last.month or first.month)
    turns = last.month < first.month  # of the year: "15 Dec to 3 Jan"
    if last.year:
        first = first._replace(year=first.year or last.year - turns)
    elif first.year:
        last = last._replace(year=first.year + turns)
    if first >= last and (first.year or not turns):
        raise NotAValueError(
            f"a range ends after it begins, but {_token(last)} is not after {_token(first)}"
        )
    return f"{_token(first)} to {_token(last)}"


def _token(end: _RangeEnd) -> str:
    """Return the token of a date.

    Raises:
        NotAValueError: There is no such day.
    """
    text = f"{end.day or ''} {MONTHS[end.month - 1]} {end.year or ''}".strip()
    read = read_moment(text)
    return read[1] if read else ""
