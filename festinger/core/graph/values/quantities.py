"""Quantities: numbers with their units, percentages, durations, ranges; versions."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from festinger.core.graph.seeddata import CURRENCIES, UNITS
from festinger.core.graph.values.kinds import ValueKind
from festinger.core.graph.values.numbers import (
    NUMBER,
    NUMBER_WORDS,
    SCALES,
    plain,
    read_decimal,
    shortened,
)
from festinger.core.graph.wordlists import STOPWORDS
from festinger.errors import NotAValueError

VERSION_PARTS_MAX: Final = 8

# Longer ones first: "no more than" begins with "no".
_BOUNDS: Final = {
    "no more than": "at most", "not more than": "at most", "at most": "at most",
    "up to": "at most", "maximum": "at most", "max": "at most", "max.": "at most",
    "≤": "at most", "no less than": "at least",
    "not less than": "at least", "at least": "at least", "minimum": "at least",
    "min.": "at least", "min": "at least", "≥": "at least",
    "more than": "over", "over": "over", "above": "over", ">": "over",
    "less than": "under", "fewer than": "under", "under": "under", "below": "under",
    "<": "under", "approximately": "about", "approx.": "about", "approx": "about",
    "roughly": "about", "around": "about", "about": "about", "circa": "about",
    "ca.": "about", "ca": "about", "some": "about", "nearly": "about",
    "almost": "about", "~": "about", "≈": "about", "exactly": "", "only": "",
}  # fmt: skip
# Behind a number: "25 guests max", "5+ years". `min` is a unit there.
_BEHIND: Final = re.compile(
    r"(?P<number>[+-]?[\d.,]+)(?P<plus>\+)(?P<rest>( .+)?)"
    r"|(?P<text>.*\d.*?),? (?P<bound>max\.?|maximum|at most|tops|or less|or fewer|at least"
    r"|minimum|or more)",
    re.IGNORECASE,
)
_LEAST: Final = frozenset(["at least", "minimum", "or more"])
# "5-10 min", "5 to 10 people", "5k to 10k".
_RANGE: Final = re.compile(
    rf"(?P<first>[\d.,]+(?: ?(?:{'|'.join(SCALES)}))?)\s*(?P<to>-|to)\s*(?P<second>\d.*)"
)
_DURATION: Final = re.compile(
    r"(?P<hours>\d{1,3}) ?h(?:ours?|rs?)?,? ?(?:and )?"
    # "1 h 30" is a duration; "18h30" may be a time of day.
    r"(?P<minutes>(?<= )[0-5]\d|\d{1,2}(?= ?m))(?: ?m(?:in(?:ute)?s?)?)?",
    re.IGNORECASE,
)
_HALF: Final = re.compile(  # "one and a half hours", "half an hour"
    r"(?P<number>\w+) and a half (?P<unit>\w+)|half an? (?P<only>\w+)", re.IGNORECASE
)
BOUNDS: Final = frozenset(_BOUNDS.values()) - {""}
"""Bounds that may precede a number: `at most 20`."""
_BOUND: Final = re.compile(
    r"(?P<bound>" + "|".join(re.escape(it) for it in _BOUNDS) + r")"
    r"(?:(?<=\w)\s+|(?<=\.)\s*|(?<=[≤=≥><~≈])\s*)(?=\S)",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"%|per ?cents?|pct\.?", re.IGNORECASE)
# 16 GB of RAM, two hours sleep; but "two hours ago" depends on when it was said.
_OF: Final = re.compile(r"(?P<unit>\S+)(?: of)? (?P<noun>[^\W\d_]{2,32})")
_AGO: Final = (
    frozenset(["ago", "earlier", "later", "before", "after", "old", "pm"]) | STOPWORDS
)
# "10115 Berlin" counts nothing.
_TITLED: Final = re.compile(r"[A-Z][a-z]{2,}")
_NOUN: Final = re.compile(r"[^\W\d_][^\W\d_-]*")
# "v1.2.0", "release 3.x", "1.0rc1", "2.0-beta+5".
_VERSION: Final = re.compile(
    r"(?:version|release|ver\.?|v\.?)?\s*(?P<number>\d{1,12}(?:\.(?:\d{1,12}|x)){0,20}"
    r"(?P<rest>[a-z]{1,8}[0-9.]{0,12}|[-+][0-9a-z.+-]{1,40})?)",
    re.IGNORECASE,
)
# Units that are words; signs such as `min` and `GB` have no plural.
_PLURAL: Final = frozenset(["day", "week", "month", "quarter", "year", "mile"])
_PLURALS: Final = frozenset(["people", "children", "men", "women", "staff", "mice"])
_TIMES: Final = frozenset(["s", "min", "h", "day", "week", "month", "quarter", "year"])
RATE: Final = re.compile(
    r"(?P<what>.*?)\s*(?:/\s*|\b(?:per|a|an|each|every)\s+)(?P<unit>[^\W\d_]+)"
)
"""A rate: `MB/s`, `EUR a month`."""
# Only signs and codes may precede an amount; words follow it: "won 3 games".
_SIGNS: Final = "|".join(
    re.escape(it)
    for it in sorted(CURRENCIES, key=len, reverse=True)  # "US$" before "$"
    if not it.isalpha() or it.upper() in CURRENCIES.values()
)
_PRICE: Final = re.compile(
    rf"(?P<sign>[+-]?)(?P<currency>{_SIGNS})\s*(?P<rest>[+-]?[\d.,].*)", re.IGNORECASE
)


def read_quantity(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of a number, an amount of money or a percentage.

    It may have a bound (`at most 20`) or be a range (`5 to 10 min`). Return None if the
    text is none of these.

    Raises:
        NotAValueError: It has too many digits, as `1e999`.
    """
    # A bound stands before ("at most 20") or behind ("20 max"); "exactly" is none.
    bound = ""
    if found := _BOUND.match(text):
        bound, text = _BOUNDS[found["bound"].lower()], text[found.end() :]
    elif found := _BEHIND.fullmatch(text):
        bound = "at least"
        if found["bound"]:
            bound = "at least" if found["bound"].lower() in _LEAST else "at most"
        text = found["text"] or f"{found['number']}{found['rest']}"
    # Money first, since currencies are no units; a range only if it is no single amount.
    read = read_money(text) or _measure(_spelt(text)) or _range(text)
    if read is None:
        return None
    kind, token = read
    return kind, f"{bound} {token}" if bound else token


def read_version(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of a version, without its `v`: `1.2.0` for `v1.2.0`."""
    found = _VERSION.fullmatch(text)
    if found is None or not (found["rest"] or "." in text or text[0] in "vVrR"):
        return None
    number = found["number"]
    parts = number.split(".")
    if found["rest"] and len(parts) == 1 and found.start("number") == 0:
        return None  # `2fa` is a name, `3.0rc1` and `v2-beta` are versions
    if len(parts) > VERSION_PARTS_MAX:
        raise NotAValueError(
            f"a version has at most {VERSION_PARTS_MAX} parts, this one {len(parts)}"
        )
    return ValueKind.VERSION, number.lower()


def _spelt(text: str) -> str:
    """Return a text with a leading number in words or parts converted to digits."""
    word, _, rest = text.partition(" ")
    small = word.lower()
    if small in ("a", "an") and UNITS.get(rest.lower()) in _TIMES:  # "an hour"
        return f"1 {rest}"
    if found := _DURATION.fullmatch(text):  # "1 h 30 min"
        return f"{int(found['hours']) * 60 + int(found['minutes'])} min"
    if (found := _HALF.fullmatch(text)) and found["only"]:
        return "30 min" if UNITS.get(found["only"].lower()) == "h" else text
    if found:
        whole = NUMBER_WORDS.get(found["number"].lower(), found["number"])
        return f"{whole}.5 {found['unit']}" if whole.isdigit() else text
    return f"{NUMBER_WORDS[small]} {rest}" if small in NUMBER_WORDS else text


def _range(text: str) -> tuple[ValueKind, str] | None:
    """Return a range of quantities; None for bare numbers that may be a score."""
    found = _RANGE.fullmatch(text)
    last = found and NUMBER.match(found["second"])
    second = found and _amount(found["second"])
    if not found or not last or not second:
        return None
    unit = found["second"][last.end() :]
    # "5-10k EUR" begins with 5k EUR, but "500 to 1k EUR" with 500.
    read = map(_amount, (f"{found['first']}{unit}", found["first"]))
    firsts = [_number(it) for it in read if it]
    rising = [it for it in firsts if Decimal(it) < Decimal(_number(second))]
    # "8-5", "5-10" and "3 to 1" may be scores; "5 to 10", "5k-10k" and "10-5 min" are ranges.
    is_bare = _number(second) == second[1]
    if not firsts or (is_bare and not (rising and (unit or found["to"] == "to"))):
        return None
    return second[0], f"{(rising or firsts[-1:])[0]} to {second[1]}"


def _amount(text: str) -> tuple[ValueKind, str] | None:
    return read_money(text) or _measure(text)


def _number(read: tuple[ValueKind, str]) -> str:
    """Return the number of an amount, without its unit."""
    found = re.match(r"[\d.]+", read[1])
    return found[0] if found else ""


def _measure(text: str) -> tuple[ValueKind, str] | None:
    """Return a number, alone or with its unit or counted noun: `24 min`, `8 gpus`."""
    found = NUMBER.match(text)
    if found is None:
        return None
    number = read_decimal(found)
    if number is None:
        return None
    rest = text[found.end() :]
    if _PERCENT.fullmatch(rest.strip()):
        return ValueKind.PERCENT, f"{plain(number.normalize())}%"
    for name, power in SCALES.items():  # "5k", but not "5kg"
        tail = rest.strip().removeprefix(name)
        if tail != rest.strip() and (not tail or not tail[0].isalpha()):
            number, rest = number.scaleb(power), tail
            # "1.5M" is 1500000 and not 1.5E+6.
            number = number.quantize(Decimal(1)) if not number % 1 else number
            break
    if not rest.strip():
        return ValueKind.NUMBER, plain(number)
    unit = _unit(rest, number)
    if unit is None:
        return None
    if unit[0] == "/":
        return ValueKind.NUMBER, f"{plain(number)}{unit}"
    return ValueKind.NUMBER, f"{plain(shortened(number))} {unit}"


def _unit(text: str, number: Decimal) -> str | None:
    """Return a unit, or the plural of a counted noun; None if it is neither."""
    attached = not text[0].isspace()  # "3cats" counts nothing
    text = text.strip()
    if known := known_unit(text):
        return _inflected(known, number)
    if (found := _OF.fullmatch(text)) and (known := known_unit(found["unit"])):
        noun = found["noun"].lower()
        # "two hours ago" depends on when it was said.
        return None if noun in _AGO else f"{_inflected(known, number)} {noun}"
    if rate := RATE.fullmatch(text):
        per = period(rate["unit"])
        what = rate["what"].strip()
        if per and not what:
            return per
        known = known_unit(what)
        counted = known or (None if attached else _counted(what, number))
        return f"{counted}{per}" if per and counted else None
    return None if attached else _counted(text, number)


def _inflected(unit: str, number: Decimal) -> str:
    return f"{unit}s" if unit in _PLURAL and number != 1 else unit


def _counted(text: str, number: Decimal) -> str | None:
    """Return a counted noun, in the plural unless the number is 1; None if no noun."""
    if not _NOUN.fullmatch(text) or _TITLED.fullmatch(text) or len(text) > 32:
        return None
    if text.lower() in _AGO:
        return None
    noun = text.lower()
    if number == 1 or noun.endswith("s") or noun in _PLURALS:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("x", "ch", "sh")) else f"{noun}s"


def known_unit(text: str) -> str | None:
    """Return the canonical spelling of a unit; None if it is no unit."""
    # "kilo watt" and "kilo-watt"; one letter keeps its case, as "M" and "m" differ.
    name = re.sub(r"[\s-]+", "_", text)
    return UNITS.get(name) or UNITS.get(name.lower() if len(name) > 1 else name)


def period(word: str) -> str:
    """Return `/month` for a month; empty if the word is no unit."""
    known = known_unit(word)
    return f"/{known}" if known else ""


def read_money(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of an amount of money: `420 EUR/month`."""
    currency = ""
    if found := _PRICE.fullmatch(text):
        currency, text = found["currency"], f"{found['sign']}{found['rest']}"
    found = NUMBER.match(text)
    if found is None:
        return None
    number = read_decimal(found, is_money=True)
    rest = text[found.end() :].strip()
    per = ""  # the period of a rate: "/month"
    if rate := RATE.fullmatch(rest):
        rest, per = rate["what"], period(rate["unit"])
        if not per:  # of a word that is no unit
            return None
    # The first scale behind which only a currency, or nothing, is left: "5k", "2 million dollars".
    for scale in ("k", "K", "M", "m", "bn", "thousand", "million", "billion", ""):
        tail = rest.removeprefix(scale)
        if tail != rest or not scale:
            known = CURRENCIES.get(tail.strip().lower().replace(" ", "_"))
            known = known or CURRENCIES.get(tail.strip())
            if (known and not currency) or (currency and not tail.strip()):
                break
    else:
        return None
    if number is None:
        return None
    known = known or CURRENCIES.get(currency.lower()) or CURRENCIES[currency.upper()]
    # "m" is million with money and metre elsewhere, so that `SCALES` lacks it.
    amount = number.scaleb(6 if scale == "m" else SCALES.get(scale, 0))
    if found["sign"] == "-" and not amount:
        raise NotAValueError("an amount of money is not minus nothing")
    whole = amount == amount.to_integral_value()
    cents = max(-int(amount.normalize().as_tuple().exponent), 2)
    return ValueKind.MONEY, f"{amount:.{0 if whole else cents}f} {known}{per}"
