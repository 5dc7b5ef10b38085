"""Check which words of a statement were said: by stems, and numbers exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from festinger.core.graph.values.dates import DAYS, MONTHS, WEEKDAY_FORM
from festinger.core.graph.values.numbers import NUMBER_WORDS
from festinger.core.language.reader.spokennumbers import ORDINALS, spoken_numbers
from festinger.core.language.terms import terms

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS: Final = re.compile(r"(?<=\d)[,. '’](?=\d{3}\b)")  # "625,000", "625'000"
_BETWEEN_NUMBERS: Final = re.compile(r"(?<=\d) (?=\d)")
_KILO: Final = re.compile(r"\b(\d+)k\b", re.IGNORECASE)  # "180k" is 180000
_UNIT: Final = re.compile(r"(?<=\d)(?=[a-z]{1,3}\b)", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_HALF: Final = re.compile(r"\b(\w+) and a half\b")  # "two and a half"
_HOURS: Final = re.compile(r":|\b\d{1,2} ?[-\u2013] ?\d{1,2}\b")  # "5:30", "9-17"
_CLOCK: Final = re.compile(r"\b0?(\d{1,2}):([0-5]\d)\b")
# "11,40 EUR" and "68.00": models write 11.40, and 68.
_DECIMAL: Final = re.compile(r"\b(\d+)[.,](\d{1,2})\b(?![.,]\d)")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_IN_WORDS: Final = (
    NUMBER_WORDS
    | ORDINALS
    | {
        "a": "1",
        "an": "1",
        "once": "1",
        "twice": "2",
        "both": "2",
        "half": "30",  # "half past five"
        "quarter": "15",  # "quarter past five"
        "noon": "12",
        "midnight": "0",
        "dozen": "12",
        "thousand": "1000",
    }
)
_MONTHS: Final = {month.lower(): str(at) for at, month in enumerate(MONTHS, 1)}
_WEEKDAYS: Final = {day[:3].lower(): at for at, day in enumerate(DAYS)}
_WEEKDAY: Final = re.compile(rf"{WEEKDAY_FORM}(?:days?|s)?")
_MONTH: Final = rf"(?:{'|'.join(MONTHS)})[a-z]*"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE: Final = re.compile(
    r"(?P<before>[,;]?\s*\(?\s*(?:\b(?:as of|since|from|until|till?|on|by|of)\s+)?)"
    rf"(?P<day>\b(?:{_WEEKDAY.pattern}),?\s+)?"
    rf"\b(?:(?:{_DAY} ?(?:-|–|to|and|until) ?)?{_DAY}(?: of)? {_MONTH}|{_MONTH} {_DAY}"
    r"|\d{4}-\d\d-\d\d)(?:,? (?:19|20)\d\d)?\b\)?",
    re.IGNORECASE,
)
"""A date with its weekday, and what connects it with the words before it."""
_RELATIVE: Final = {
    "yesterday": -1,
    "today": 0,
    "tonight": 0,
    "morning": 0,  # "this morning"
    "tomorrow": 1,
    "night": -1,  # "last night"
}


class SaidWords(NamedTuple):
    """The words of what was said, for comparison with statements.

    Attributes:
        numbers: Numbers in it, in digits or in words, without leading zeros.
        years: Year in which it was said, and the adjacent ones: a date may omit its
            year.
    """

    stems: frozenset[str]
    numbers: frozenset[str]
    years: frozenset[str] = frozenset()

    def with_those_of(self, other: SaidWords) -> SaidWords:
        """Return the union with other words."""
        return SaidWords(*map(frozenset.union, self, other))


def said_words(texts: Iterable[str], on: date | None = None) -> SaidWords:
    """Return the words of some texts.

    Args:
        on: Day on which they were said; None if it is unknown.
    """
    stems: set[str] = set()
    numbers: set[str] = set()
    for text in texts:
        stems.update(terms(_apart(text)))
        numbers |= _numbers_of(text) | _numbers_of(_side_by_side(text))
        for word in _WORD.findall(text.lower()):
            if word in _IN_WORDS:
                numbers.add(_IN_WORDS[word])
            # A model writes "on the 3rd of May" and "tomorrow" as numbers of a date.
            if word[:3] in _MONTHS:
                numbers.add(_MONTHS[word[:3]])
            for day in _days_meant(word, on) if on else ():
                numbers |= {str(day.day), str(day.month)}
        numbers |= {
            f"{_IN_WORDS.get(half, half)}.5" for half in _HALF.findall(text.lower())
        }
        numbers |= spoken_numbers(text)
        for whole, decimals in _DECIMAL.findall(text):
            number = f"{whole}.{decimals}"
            numbers |= {number, number.removesuffix(".00")}
        numbers |= set(_KILO.findall(text))  # "180k" is 180 as well
    years = {str(on.year + more) for more in (-1, 0, 1)} if on else set()
    return SaidWords(frozenset(stems), frozenset(numbers), frozenset(years))


def unsaid_numbers(text: str, said: SaidWords) -> set[str]:
    """Return the numbers of a text that were not said."""

    def without_said(clock: re.Match[str]) -> str:
        """Return nothing for a time that was said without its colon."""
        hour, minute = clock.groups()
        # People type "9.30", "0930" and "5.15", and models write 9:30 and 17:15.
        hours = (hour, str(int(hour) - 12))
        forms = {form for it in hours for form in (f"{it}.{minute}", it + minute)}
        return clock[0] if forms.isdisjoint(said.numbers) else ""

    text = _CLOCK.sub(without_said, text)
    # Groups of a telephone number may be said apart.
    if _numbers_of(groups := _side_by_side(text)) <= said.numbers:
        text = groups
    # A date may get its year, "half past five" may be 5:30 or 17:30, and "nine" 9:00.
    return {
        number
        for number in _numbers_of(text)
        if number not in said.numbers
        and not (_YEAR.fullmatch(number) and number in said.years)
        and not (_HOURS.search(text) and number in {"0", *_afternoon(said.numbers)})
        and not _is_longer_form(number, said.numbers)
    }


def _is_longer_form(number: str, said: frozenset[str]) -> bool:
    """Return whether a short form was said: `625` for 625,000, `.30.21` of an IP."""
    if number.endswith("000") and number[:-3] in said:
        return True
    return number.count(".") > 1 and any(
        number.endswith(f".{it}") for it in said if "." in it
    )


def without_unsaid_dates(text: str, said: SaidWords) -> str:
    """Return a text without the dates that were not said; keep their weekdays."""
    # A model that reads "fixed on Thursday" likes to add the date that it takes it for.

    def shortened(match: re.Match[str]) -> str:
        """Return the weekday of an unsaid date; a date that was said unchanged."""
        if not unsaid_numbers(match[0], said):
            return match[0]
        day = match["day"]
        return f"{match['before']}{day.rstrip(' ,')}" if day else ""

    # Nothing may be left, if the text is only a date: then that is refused as a number.
    short = _DATE.sub(shortened, text).strip(" ,;")
    return short if terms(short) else text


def share_covered(text: str, said: SaidWords) -> float:
    """Return the share of a text's words and numbers that were said, in [0.0, 1.0]."""
    words = {term for term in terms(_apart(text)) if not _has_digit(term)}
    numbers = _numbers_of(text)
    # A compound was said if its parts were, a word for a number if its digits were.
    missing = [
        term
        for term in words - said.stems
        if not _is_in_parts(term, said) and _IN_WORDS.get(term) not in said.numbers
    ]
    unsaid = unsaid_numbers(text, said)
    every = len(words) + len(numbers)
    return 1.0 - (len(missing) + len(unsaid)) / every if every else 1.0


def _is_in_parts(term: str, said: SaidWords) -> bool:
    parts = [part for part in re.split(r"[-/._:']", term) if part]
    return len(parts) > 1 and all(part in said.stems for part in parts)


def _numbers_of(text: str) -> set[str]:
    found: set[str] = set()
    text = _KILO.sub(r"\g<1>000", text)
    # A point does not separate numbers: 3.12 is neither 3 nor 12.
    for match in _NUMBER.findall(_THOUSANDS.sub("", text)):
        for part in re.split(r"[:,]", match):
            # "05" is 5, but "0.5" keeps its zero.
            plain = part.lstrip("0")
            found.add(plain if plain and plain[0].isdigit() else f"0{plain}")
    return found


def _days_meant(word: str, on: date) -> list[date]:
    """Return the days that a word such as monday or tomorrow may mean on a day."""
    if (offset := _RELATIVE.get(word)) is not None:
        return [on + timedelta(days=offset)]
    # "wednesday", "weds" and "wed" are the same, and so are "thu" and "thurs".
    weekday = _WEEKDAYS.get(word[:3])
    if weekday is None or not _WEEKDAY.fullmatch(word):
        return []
    ahead = (weekday - on.weekday()) % 7
    # The last, this or the next one: "on monday" does not say which.
    return [on + timedelta(days=ahead + weeks) for weeks in (-7, 0, 7)]


def _side_by_side(text: str) -> str:
    """Return a text in which a blank parts two numbers: `4.0 768` in a table."""
    return _BETWEEN_NUMBERS.sub("; ", text)


def _apart(text: str) -> str:
    """Return a text with units separated from their numbers: 16gb is 16 gb."""
    return _UNIT.sub(" ", text)


def _afternoon(numbers: frozenset[str]) -> set[str]:
    return {str(int(it) + 12) for it in numbers if it.isdigit() and int(it) < 12}


def _has_digit(term: str) -> bool:
    return any(it.isdigit() for it in term)
