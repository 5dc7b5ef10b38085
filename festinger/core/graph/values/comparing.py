"""Compare values: equality across units, refinement and precision."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from festinger.core.graph.seeddata import EMPTY_HEADS
from festinger.core.graph.values.dates import MONTHS
from festinger.core.graph.values.quantities import BOUNDS

# Quantities that units measure, and the size of each unit in a base unit.
# Months and years are left out: they have no fixed length.
_UNITS: Final = {
    unit: (thing, Decimal(size))
    for thing, sizes in {
        "time": {"ms": "0.001", "s": "1", "min": "60", "h": "3600", "day": "86400",
                 "days": "86400", "week": "604800", "weeks": "604800"},
        "data": {"B": "1", "KB": "1e3", "MB": "1e6", "GB": "1e9", "TB": "1e12"},
        "mass": {"mg": "0.001", "g": "1", "kg": "1000", "t": "1e6"},
        "length": {"mm": "0.001", "cm": "0.01", "m": "1", "km": "1000"},
    }.items()
    for unit, size in sizes.items()
}  # fmt: skip
# `node_18`, "postgres 14.2".
_VERSIONED: Final = re.compile(r"(.*[^\W\d])[_ -]v?\d+(?:\.\d+)*")
_QUANTITY: Final = re.compile(
    rf"(?:(?P<bound>{'|'.join(sorted(BOUNDS))}) )?(?P<number>-?\d+(?:\.\d+)?)"
    r"(?P<unit>%| ?/\S+| .+)?"
)
# Compared in its base unit; Decimal, since 0.1 + 0.2 is not 0.3 in binary.
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


def is_same(held: str, said: str) -> bool:
    """Return whether two tokens are one value, also across units: `90 min`, `1.5 h`."""
    if held == said:
        return True
    one, other = _in_base(held), _in_base(said)  # "90 min" and "1.5 h"
    return one is not None and one == other


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


def _in_base(token: str) -> tuple[str, Decimal] | None:
    """Return the dimension of a quantity and its amount in the base unit.

    Returns:
        None if the unit cannot be converted.
    """
    found = _QUANTITY.fullmatch(token)
    known = found and not found["bound"] and _UNITS.get((found["unit"] or "").strip())
    if not found or not known:
        return None
    thing, size = known
    return thing, Decimal(found["number"]) * size


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
