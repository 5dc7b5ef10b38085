"""Classify the words of a value: a day, a time, an amount, a place, a name, …"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from festinger.core.graph.values.dates import MONTH_FORM, WEEKDAY_FORM
from festinger.core.system.wordsets import word_set

CHARACTERS_MAX: Final = 120
"""Maximum number of characters of a literal."""
# First words, with or without a number behind them.
_ROOMS: Final = word_set("""
    room building hall floor house flat shelf drawer locker cupboard box office lab tab
    gate platform pier dock bay aisle terminal ward bed pitch court field level studio table desk seat folder channel
""")
_STREET: Final = r"street|road|avenue|lane|square|hill|island|floor|boulevard"
# Of languages that write a name and the word for a street as one.
_ENDING: Final = (
    r"\w{3,}(?:stra(?:ss|ß)e|straat|laan|gasse|platz|plein|gatan|gade|allee)"
)
_IN_STREET: Final = re.compile(
    rf"(?:.*\s)?(?:{_STREET}|{_ENDING})(?:\s\d{{1,4}}\s?[a-z]?)?", re.IGNORECASE
)


class LiteralKind(StrEnum):
    """Kind of a value, by its form."""

    DAY = "day"
    """A weekday, or several: `friday`, `Mondays and Thursdays`."""
    DATE = "date"
    TIME = "time"
    RELATIVE_DAY = "relative day"
    """A day relative to the current one: `next friday`, `yesterday`."""
    MONEY = "money"
    MEASURE = "measure"
    """A number with or without a unit: `14`, `90 seconds`, `30 %`."""
    VERSION = "version"
    ADDRESS = "address"
    """A URL, a path, an e-mail address, or the name of a host."""
    NONE = "none"


_DAYS: Final = (  # "mon", "Thursdays", "weekdays", "every day"
    rf"{WEEKDAY_FORM}(?:days?|s|\.)?"
    r"|weekdays|weekends|every day|daily"
)
_MONTHS: Final = rf"{MONTH_FORM}\.?"
_NUMBER: Final = (  # "1,200", "-4", "1e-4", ".5", "twenty-one", "180k", "half an"
    r"(?:[-−]?\d[\d.,]*\d|[-−]?\d|\d(?:\.\d+)?e-?\d+|\.\d+|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|a hundred|a thousand|half an?)(?:\s?[kKmM](?![a-z])|\s(?:thousand|million|billion)\b)?"
)
_UNITS: Final = (  # "%", "ms", "GiB", "people"; "5 mangoes" is not 5 m
    r"(?:%|per ?cent|ms|milliseconds?|µs|us|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?"
    r"|d|days?|w|weeks?|months?|y|years?|[kmgtp]i?b|bytes?|gigs?|cores?|rows?|lines?|nodes?"
    r"|people|persons?|seats?|pieces?|users?|requests?|replicas?|workers?|retries|attempts"
    r"|times|connections|seeds|gpus|cpus|threads|epochs|steps|clips|items|copies|instances|shards|slots|tables|beds|drops?|tablets?|pills?|puffs?|bar|rpm|kcal|ppm|rps|qps|km|cm|mm|metres?|meters?|miles?|kg|mg|mcg|µg|g|grams?|lbs?|l|litres?|liters?|ml|watts?|w|kw"
    r"|kwh|v|volts?|°c?|degrees|fps|hz|khz|mhz|ghz|px|dpi|mbit|gbit|mbps|gbps|points?|pages?"
    r"|words?|characters?|chars)(?![a-z])"
)
_CURRENCY: Final = (
    r"(?:euros?|eur|dollars?|usd|bucks|pounds?|gbp|quid|chf|cents?|pence)"
)
_CLOCK: Final = (  # "9:30", "7pm", "14h30", "7 o'clock", "half past six"
    r"(?:(?:[01]?\d|2[0-4])[:.][0-5]\d(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?|\d{1,2}h\d{0,2}"
    r"|\d{1,2} o'?clock|noon|midnight|midday"
    r"|(?:half|quarter) (?:past|to) \w+)"
)
_AT: Final = (  # ", 9:30", " at 9:30", " at 4"
    rf"(?:,? (?:at )?{_CLOCK}|,? at (?:1?\d|2[0-4]))?"
)
_PER: Final = (  # "/h", " per seat", " a head"
    r"(?:\s?(?:/|an?|per|each|every)\s?(?:hour|day|week|month|year|night|head|person|mo|min"
    r"|minute|second|s|h|seat|user|piece))?"
)
_DAY_OF_MONTH: Final = r"(?:0?[1-9]|[12]\d|3[01])"  # "84.9" is no date
_DATE: Final = (  # "2026-05-03", "3/5", "the 3rd of May", "May 2026", "11th", "Q3"
    rf"(?:\d{{4}}-\d\d-\d\d|{_DAY_OF_MONTH}[./]{_DAY_OF_MONTH}\.?(?:\d\d|\d{{4}})?"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS}(?:,? \d{{4}})?"
    rf"|{_MONTHS} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"|{_MONTHS}(?: \d{{4}})?|(?:the )?\d{{1,2}}(?:st|nd|rd|th)|q[1-4](?: \d{{4}})?)"
)
# The first form that fits decides: "10.0.0.3" must be an address before it is a version,
# "3.5" is a date here, and `value_phrase` makes a number of it where one is expected.
_FORMS: Final = tuple(
    (kind, re.compile(form, re.IGNORECASE))
    for kind, form in (
        (
            LiteralKind.RELATIVE_DAY,
            rf"today|tomorrow|tmrw|tonight|yesterday|(?:next|this|last) (?:{_DAYS}|week|month|year"
            r"|weekend|morning|evening)|the day after tomorrow",
        ),
        (
            LiteralKind.DAY,  # "every other friday", "mon and thu at 9:30"
            rf"(?:every |every (?:other|second) )?(?:{_DAYS})"
            rf"(?:(?:,? and |, | to |-| & | \+ )(?:{_DAYS})){{0,4}}"
            rf"(?:,? (?:the )?(?:{_DATE}|\d{{1,2}}))?{_AT}",
        ),
        (
            LiteralKind.TIME,  # "9 am", "9:30-10:15", "noon sharp"
            rf"(?:{_DAYS} )?{_CLOCK}(?:(?: to | till | until |-| - ){_CLOCK})?(?: sharp)?"
            rf"(?:,? (?:on )?(?:{_DAYS}))?",
        ),
        (LiteralKind.ADDRESS, r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d{1,2})?"),
        (  # "3.5.2026": with the year of a calendar it is no version
            LiteralKind.DATE,
            r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d",
        ),
        (
            LiteralKind.VERSION,  # "v2", "16.2.1-rc1", "version 16"
            r"v\d+(?:\.\d+)*(?:-[\w.]+)?|\d+\.\d+\.\d+(?:[-.]\w+)*|version \d+(?:\.\d+)*",
        ),
        (
            LiteralKind.DATE,  # "3 May to 9 May", "by friday, 4 March"
            rf"(?:from |by )?(?:(?:{_DAYS}),? )?{_DATE}"
            rf"(?: (?:to|until|till|-|–) (?:(?:{_DAYS}),? )?{_DATE})?{_AT}",
        ),
        (
            LiteralKind.MONEY,  # "$1,200 per month", "20 euros a head"
            rf"[$€£]\s?{_NUMBER}{_PER}"
            rf"|{_NUMBER}\s?(?:[$€£]|{_CURRENCY}(?![a-z])){_PER}",
        ),
        (
            LiteralKind.MEASURE,  # "about 90 seconds", "30 %", "2 and a half"
            rf"(?:about |around |something like  |roughly |approx\.? |~|under |at most |at least |max |up to )?"
            rf"{_NUMBER}(?:\s?{_UNITS})?(?: and a half)?{_PER}",
        ),
        (
            LiteralKind.ADDRESS,  # "/data/v2", "a@b.org", "stg.example.org:80", "#ops"
            r"https?://\S+|[~.]?/[\w./-]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
            r"|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?:/\S*)?"
            r"|#[\w-]+",
        ),
    )
)
TIMES: Final = frozenset(
    [LiteralKind.DAY, LiteralKind.DATE, LiteralKind.TIME, LiteralKind.RELATIVE_DAY]
)
"""Kinds of times."""
AMOUNTS: Final = frozenset([LiteralKind.MONEY, LiteralKind.MEASURE])
"""Kinds of amounts."""


def is_like(one: LiteralKind, other: LiteralKind) -> bool:
    """Return whether values of two kinds can replace each other."""
    return one is other or {one, other} <= TIMES or {one, other} <= AMOUNTS


def literal_kind(text: str) -> LiteralKind:
    """Return the kind of a literal; NONE if the words are a name or a phrase."""
    if len(text) > CHARACTERS_MAX:
        return LiteralKind.NONE
    for kind, form in _FORMS:
        if form.fullmatch(text):  # more words make a phrase of it: "friday club"
            return kind
    return LiteralKind.NONE


def is_street(name: str) -> bool:
    """Return whether a name ends as those of streets do, with or without a number."""
    return _IN_STREET.fullmatch(name) is not None


def is_place(name: str) -> bool:
    """Return whether a name is that of a place, on which nothing runs."""
    return name.lower().split()[0] in _ROOMS or is_street(name)
