"""Compare values (refinement and precision), and complete one from the value it changes."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from festinger.core.graph.seeddata import EMPTY_HEADS
from festinger.core.graph.values.canonical import canonical
from festinger.core.graph.values.dates import MONTHS
from festinger.core.graph.values.kinds import ValueKind
from festinger.core.graph.values.quantities import BOUNDS
from festinger.errors import NotAValueError

# `node_18`, "postgres 14.2".
_VERSIONED: Final = re.compile(r"(.*[^\W\d])[_ -]v?\d+(?:\.\d+)*")
_QUANTITY: Final = re.compile(
    rf"(?:(?P<bound>{'|'.join(sorted(BOUNDS))}) )?(?P<number>-?\d+(?:\.\d+)?)"
    r"(?P<unit>%| ?/\S+| .+)?"
)
# Decimal, since 0.1 + 0.2 is not 0.3 in binary.
_CLOSE: Final = Decimal("0.1")
"""Relative tolerance of a number with `about`."""
_MOMENT: Final = re.compile(
    r"(?:(?P<weekday>[A-Z][a-z]+day)|(?P<date>[^:]*?(?=$| \d\d:\d\d)))?"
    r"(?: ?(?P<time>\d\d:\d\d.*))?"
)
_DATE: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)|(?P<only>\d{1,2})(?:st|nd|rd|th)"
    r"|(?:(?P<first>\d{1,2}) )?(?P<name>[A-Z][a-z]{2})(?: (?P<later>\d{4}))?"
)
_MORE: Final = re.compile(r" (?:on|in|at|of|for|with|behind|under|from|near|by|until) ")
_TIME_OF_DAY: Final = re.compile(r" ?\d\d:\d\d.*$")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_DAYS: Final = (ValueKind.WEEKDAY, ValueKind.DATE)
_AMOUNTS: Final = (ValueKind.NUMBER, ValueKind.MONEY, ValueKind.PERCENT)


def is_refinement(held: str, said: str) -> bool:
    """Return whether one of two different tokens is a more precise form of the other.

    Examples, in either order: `database` and `postgres_database`, `postgres` and
    `postgres_14`, `1.2` and `1.2.0`, `14` and `14 days`, `Tuesday` and `Tuesday 10:00`,
    `24 Nov` and `2026-11-24`, `about 20` and `21`.
    """
    # Whichever was said first: refinement is symmetric.
    short, long = sorted((held, said), key=len)
    if held == said:
        return False
    # The head of a compound stands last: `postgres_database` is a `database`.
    if short == long.rpartition("_")[2] or long.endswith(f"_{short}"):
        return True
    if long.startswith(short):
        rest = long[len(short) :]
        if re.fullmatch(r"_\d[\d.]*", rest) or _MORE.match(rest):  # `postgres_14`
            return True
        # "14" and "14 days", "1.2" and "1.2.0"; but "1" and "12" are two numbers.
        if re.fullmatch(r"[\d.]+", short) and re.fullmatch(r"[. ].+", rest):
            return rest[0] == " " or re.fullmatch(r"[\d.]+", rest) is not None
        # "8 GB" and "8 GB memory", "210 EUR" and "210 EUR/year".
        if _QUANTITY.fullmatch(short) and re.fullmatch(r"[ /][^\W\d_]+", rest):
            return True
    return _is_closer(held, said) or _is_closer(said, held) or _is_longer(held, said)


def is_other_version(held: str, said: str) -> bool:
    """Return whether two tokens are versions of one thing: `node_18` and `node_20`."""
    one, other = _VERSIONED.fullmatch(held), _VERSIONED.fullmatch(said)
    return one is not None and other is not None and held != said and one[1] == other[1]


def is_closer(said: str, held: str) -> bool:
    """Return whether the first of two values that refine each other is more precise."""
    # "at most 20" is looser than "14", however many words it has.
    bounds = [token.startswith(tuple(BOUNDS)) for token in (said, held)]
    if bounds[0] != bounds[1]:
        return bounds[1]
    return len(said) > len(held)


def is_empty_head(value: str) -> bool:
    """Return whether a token is uninformative as a classification: `tool`, `system`."""
    return not EMPTY_HEADS.isdisjoint((value, value.removesuffix("s")))


def _is_closer(loose: str, exact: str) -> bool:
    """Return whether an exact number satisfies the bound of another token."""
    one, other = _QUANTITY.fullmatch(loose), _QUANTITY.fullmatch(exact)
    if not one or not other or not one["bound"] or other["bound"]:
        return False
    if one["unit"] != other["unit"]:  # "at most 20 s" says nothing of minutes
        return False
    limit, number = Decimal(one["number"]), Decimal(other["number"])
    match one["bound"]:
        case "at most":
            return number <= limit
        case "at least":
            return number >= limit
        case "over":
            return number > limit
        case "under":
            return number < limit
    return abs(number - limit) <= abs(limit) * _CLOSE  # "about 20" and "21"


def _is_longer(held: str, said: str) -> bool:
    """Return whether one moment has all parts of the other, and further ones."""
    one, other = _parts(held), _parts(said)
    if not one or not other:
        return False
    agree = all(one[key] == other[key] for key in one.keys() & other.keys())
    # All parts that both have agree, and one has more.
    return agree and (one.keys() < other.keys() or other.keys() < one.keys())


def _parts(token: str) -> dict[str, str]:
    """Return a moment's parts: year, month, day, weekday, time; empty if it is none.

    A range of dates has those of both ends.
    """
    found = _MOMENT.fullmatch(token)
    if not found:
        return {}
    named = {"weekday": found["weekday"], "time": found["time"]}
    ends = found["date"].split(" to ") if found["date"] else []
    for number, end in enumerate(ends):
        dated = _DATE.fullmatch(end)
        if not dated:  # a text before a time that is no date
            return {}
        month = dated["month"]
        if name := dated["name"]:
            if name not in MONTHS:
                return {}
            month = f"{MONTHS.index(name) + 1:02}"
        day = dated["day"] or dated["only"] or dated["first"] or ""
        named |= {
            "ends": str(len(ends)),  # a day is no vague form of a range
            f"year {number}": dated["year"] or dated["later"],
            f"month {number}": month,
            f"day {number}": day.lstrip("0"),
        }
    return {key: value for key, value in named.items() if value}


def completed(held: str, said: str) -> str:
    """Return a value that changes a held one, with what both have in common.

    `19:00` completes to `Wednesday 19:00` where `Wednesday 18:30` is held, `Thursday`
    to `Thursday 18:30` where `18:30` is, and `6500` to `6500 EUR` where `8000 EUR` is.
    """
    before, after = _kind(held), _kind(said)
    # "Training starts at 19:00 now": on the same day as before.
    if after is ValueKind.TIME and before in _DAYS:
        return f"{_TIME_OF_DAY.sub('', held)} {said}"
    # "Rehearsal moved to Thursday": nobody said another time. A day that had one of its
    # own is another thing: that time may go with it.
    if after in _DAYS and before is ValueKind.TIME and not _TIME_OF_DAY.search(said):
        return f"{said} {held}"
    if _NUMBER.fullmatch(said) and (unit := unit_of(held)):
        return f"{said}{unit}"
    return said


def unit_of(value: str) -> str:
    """Return the unit of an amount with the blank before it; empty for none."""
    number = _NUMBER.match(value)
    if number is None or _kind(value) not in _AMOUNTS:
        return ""
    return value[number.end() :]


def _kind(value: str) -> ValueKind | None:
    try:
        return canonical(value).kind
    except NotAValueError:
        return None
