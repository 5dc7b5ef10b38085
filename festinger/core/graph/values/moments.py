"""Dates, weekdays and times of day."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from festinger.core.graph.values.dates import DAYS, MONTH_FORM, MONTHS
from festinger.core.graph.values.kinds import ValueKind
from festinger.errors import NotAValueError

_MONTH: Final = rf"{MONTH_FORM}\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
# The first form that matches counts; the exact ones come first.
_DATES: Final = [
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})(?=$|[\sT,])",
        r"(?P<year>\d{4})/(?P<number>\d{1,2})/(?P<day>\d{1,2})(?![\d/])",
        r"(?P<year>(?:19|20)\d\d)-(?P<number>0[1-9]|1[0-2])(?![\d-])",
        r"(?P<day>\d{1,2})\.\s?(?P<number>\d{1,2})\.(?:\s?(?P<year>\d{4}))?(?!\d)",
        r"(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year>\d{4})(?!\d)",
        rf"(?:the )?{_DAY}(?: of|\.)?[ -]?(?P<month>{_MONTH})(?:,?[ -]{_YEAR})?(?![\w-])",
        rf"(?P<month>{_MONTH})[ -](?:the )?{_DAY}(?!\d|:)(?:,? {_YEAR})?(?![\w-])",
        rf"(?P<month>{_MONTH})(?:,? {_YEAR})?(?![\w-])",
        r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)(?: of (?:the|each|every) month)?(?!\w)",
    )
]
# "Mon", "Tues", "every Thursday"; the lookbehinds join each stem to its ending.
_WEEKDAY: Final = re.compile(
    r"(?:(?:every|each|on) )?(?:mon|tue|wed|thu|fri|sat|sun)"
    r"(?:(?<=mon)|(?<=fri)|(?<=sun)|(?<=tue)s?|(?<=wed)(?:nes|s)?|(?<=thu)(?:rs?)?|(?<=sat)(?:ur)?)"
    r"(?:days?)?\.?(?!\w)",
    re.IGNORECASE,
)
_AND: Final = re.compile(r"\s*(?:,|&|/|\band\b|\bor\b)\s*(?:and )?", re.IGNORECASE)
TO: Final = re.compile(r"\s*(?:-|\b(?:to|till|until|through)\b)\s*", re.IGNORECASE)
"""Joint between the ends of a range."""
_WORKDAYS: Final = re.compile(
    r"(?:on )?(?:weekdays|working days|workdays)(?!\w)", re.IGNORECASE
)
# "9:30", "9.30 pm", "21:00:15 UTC", "noon"; neither part of a longer number nor of a word.
_TIME: Final = re.compile(
    r"(?:(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d)(?::(?P<second>\d\d))?)?"
    r"\s*(?P<half>am|pm|a\.m\.?|p\.m\.?|o'clock)?|(?P<word>noon|midday|midnight))"
    r"(?:\s*(?P<zone>UTC|GMT|CES?T|BST|E[SD]T|P[SD]T|Z)\b)?)(?![\w:])",
    re.IGNORECASE,
)
# What may stand between a date, a weekday and a time.
_BETWEEN: Final = re.compile(r"(?:\s|,|T(?=\d)|\b(?:at|on|in|by|every|the)\s)*")
# What goes on behind a moment: "18:30, big room", "Monday from 9", but not "Sunday loaf".
_MORE: Final = re.compile(
    r"\s*(?:$|[,;(–]|\d|-\s|(?:at|from|since|till|until|to|in|for|on|only|again|and|or|except"
    r"|with|after|before|instead|now|morning|afternoon|evening|night|per|if)s?\b)",
    re.IGNORECASE,
)
# "yesterday [23 Nov]", as `resolve_days` writes it.
_RESOLVED: Final = re.compile(r"[\w ]{3,30} ?\[(?P<day>\d{1,2} [A-Z][a-z]{2})\]")
_RELATIVE: Final = re.compile(
    r"(?:the )?(?:day (?:before|after) )?(?:yesterday|today|tomorrow|tonight|last night|this morning"
    r"|this (?:afternoon|evening)|(?:next|last|this|coming) (?:week|month|year|weekend"
    rf"|{'|'.join(DAYS)}))|\w.{{0,60}} ago",
    re.IGNORECASE,
)
# Most texts have a hyphen or "to" between other things: nothing of those is a date.
_DATED: Final = re.compile(rf"\d[./]\s?\d|\d-\d\d|{'|'.join(MONTHS)}", re.IGNORECASE)
# A day whose month stands at the other end: "15-22 June", "June 15-22, 2026".
_END_DAY: Final = re.compile(
    r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?(?:,? (?P<year>(?:19|20)\d\d))?",
    re.IGNORECASE,
)
# Dates as `read_moment` returns them, without a time.
_READ_DATE: Final = re.compile(
    r"(?P<iso>\d{4}-\d\d-\d\d)|(?:(?P<day>\d{1,2}) )?(?P<month>[A-Z][a-z]{2})"
    r"(?: (?P<year>\d{4}))?"
)


def begins_with_moment(text: str) -> bool:
    """Return whether a text begins with a moment that the rest says more of.

    True for `Tuesday 18:30, big room` and `11 March at home`; false for `Sunday loaf`,
    which is a name.
    """
    at = _skipped(text, 0)
    try:
        read = _date(text, at) or _weekdays(text, at) or _times(text, at)
    except NotAValueError:
        return False
    if read is None:
        return False
    token, end = read
    # A month alone may be a name: "May Brown".
    is_exact = token in DAYS or not token.isalpha()
    return is_exact and _MORE.match(text, end) is not None


def read_moment(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of a date, a weekday, a time of day or a combination.

    A date is `2026-11-24`, `24 Nov`, `Nov 2026` or `15th`; a weekday is `Monday`, and
    is omitted if there is a date; a time is `09:30`, with the zone if one is named.

    Raises:
        NotAValueError: The day does not exist, or it is relative (`tomorrow`).
    """
    if resolved := _RESOLVED.fullmatch(text):
        text = resolved["day"]
    # Kept as it is, "tomorrow" would be wrong from the next day on.
    if _RELATIVE.fullmatch(text):
        raise NotAValueError(
            f"{text[:40]!r} is another day tomorrow: write its date, as in 24 Nov"
        )
    day = weekday = time = ""
    at = _skipped(text, 0)
    if at == len(text):
        return None
    # Each part once, in any order; anything else makes it no moment.
    while at < len(text):
        if not day and (read := _date(text, at)):
            day, at = read
        elif not weekday and (read := _weekdays(text, at)):
            weekday, at = read
        elif not time and (read := _times(text, at)):
            time, at = read
        else:
            return None
        at = _skipped(text, at)
    if day:  # the weekday follows from the date
        return ValueKind.DATE, f"{day} {time}".strip()
    if weekday:
        return ValueKind.WEEKDAY, f"{weekday} {time}".strip()
    return ValueKind.TIME, time


def _skipped(text: str, at: int) -> int:
    """Return the offset of the next part at or behind `at`."""
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _date(text: str, at: int) -> tuple[str, int] | None:
    for form in _DATES:
        found = form.match(text, at)
        if found is None:
            continue
        parts = found.groupdict()
        month = _month(parts)
        number = parts.get("day") or ""
        if parts.get("one"):
            one, two = int(parts["one"]), int(parts["two"])
            if one <= 12 and two <= 12 and one != two:  # 12/12/2026 is clear, too
                return None  # ambiguous: either number may be the month
            month, number = (one, str(two)) if one <= 12 else (two, str(one))
        return _checked(found[0], parts.get("year"), month, number), found.end()
    return None


def _month(parts: dict[str, str | None]) -> int:
    """Return the number of a month; 0 if there is none, 13 if the number is invalid."""
    if parts.get("number"):
        return int(parts["number"] or 0) or 13
    name = (parts.get("month") or "")[:3].title()
    return MONTHS.index(name) + 1 if name else 0


def _checked(text: str, year: str | None, month: int, day: str) -> str:
    """Return a date in its canonical form.

    Raises:
        NotAValueError: There is no such day.
    """
    try:
        # A leap year, so that 29 February is valid without a year.
        date(int(year or 2000), month or 1, int(day or 1))
    except ValueError:
        raise NotAValueError(f"there is no such day as {text[:40]!r}") from None
    if year and day:
        return f"{year}-{month:02}-{int(day):02}"
    if not month:
        return _ordinal(int(day))
    return " ".join(it for it in (day.lstrip("0"), MONTHS[month - 1], year or "") if it)


def _ordinal(day: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{day}{'th' if 10 < day < 14 else endings.get(day % 10, 'th')}"


def _weekdays(text: str, at: int) -> tuple[str, int] | None:
    """Return one weekday, several, or a range of them, and the offset behind."""
    if found := _WORKDAYS.match(text, at):
        return "Monday to Friday", found.end()
    found = _WEEKDAY.match(text, at)
    if found is None:
        return None
    days, at = _weekday(found[0]), found.end()
    while True:
        # "Mon-Fri" is a range, "Mon, Wed" a list.
        sign = " to " if (between := TO.match(text, at)) else ", "
        between = between or _AND.match(text, at)
        found = _WEEKDAY.match(text, between.end()) if between else None
        if found is None:
            return days, at
        days, at = f"{days}{sign}{_weekday(found[0])}", found.end()


def _weekday(text: str) -> str:
    start = text.lower().split()[-1][:3]
    return next(day for day in DAYS if day.lower().startswith(start))


def _times(text: str, at: int) -> tuple[str, int] | None:
    """Return a time of day or a range of times, and the offset behind."""
    read = _time(text, at)
    if read is None:
        return None
    first, at = read
    between = TO.match(text, at)
    last = _time(text, between.end()) if between else None
    return (f"{first} to {last[0]}", last[1]) if last else (first, at)  # "9am-5pm"


def _time(text: str, at: int) -> tuple[str, int] | None:
    """Return a time of day and the offset behind; a bare number or `9.30` is none."""
    found = _TIME.match(text, at)
    if found is None:
        return None
    zone = f" {found['zone'].upper().replace('Z', 'UTC')}" if found["zone"] else ""
    if found["word"]:
        noon = found["word"].lower() != "midnight"
        return f"{'12' if noon else '00'}:00{zone}", found.end()
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    half = (found["half"] or "").replace(".", "").lower()
    # "9.30" may be a number, and "9" anything: a colon or a half of the day is needed.
    is_clear = half or (found["minute"] and found[0][len(found["hour"])] != ".")
    if not is_clear:
        return None
    if half in ("am", "pm"):
        if not 1 <= hour <= 12:  # "14 pm"
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour == 24 and not minute:  # "24:00" is midnight
        hour = 0
    second = found["second"]
    if hour > 23 or minute > 59 or int(second or 0) > 59:
        return None
    seconds = f":{second}" if second and second != "00" else ""
    return f"{hour:02}:{minute:02}{seconds}{zone}", found.end()


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
    if found := _END_DAY.fullmatch(text):
        return _RangeEnd(int(found["year"] or 0), 0, int(found["day"]))
    read = read_moment(text)
    found = _READ_DATE.fullmatch(read[1]) if read else None
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
            f"a range ends after it begins, but {_token_of(last)} is not after {_token_of(first)}"
        )
    return f"{_token_of(first)} to {_token_of(last)}"


def _token_of(end: _RangeEnd) -> str:
    """Return the token of a date.

    Raises:
        NotAValueError: There is no such day.
    """
    text = f"{end.day or ''} {MONTHS[end.month - 1]} {end.year or ''}".strip()
    read = read_moment(text)
    return read[1] if read else ""
