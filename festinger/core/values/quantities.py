"""Numbers with their units, money, percentages and versions."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from festinger.core.language.wordlists import STOPWORDS
from festinger.core.seeddata import CURRENCIES, UNITS
from festinger.core.values.kinds import ValueKind
from festinger.errors import NotAValueError

DIGITS_MAX: Final = 30
VERSION_PARTS_MAX: Final = 8

_WORDS: Final = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {
    word: f"{number}0"
    for number, word in enumerate(
        ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"],
        start=3,
    )
}
_SCALES: Final = {
    "k": 3, "K": 3, "thousand": 3, "M": 6, "mio": 6, "million": 6, "millions": 6,
    "bn": 9, "billion": 9, "billions": 9,
}  # fmt: skip
# Longer ones first: "no more than" begins with "no".
_BOUNDS: Final = {
    "no more than": "at most", "not more than": "at most", "at most": "at most",
    "up to": "at most", "maximum": "at most", "max": "at most", "max.": "at most",
    "≤": "at most", "<=": "at most", "no less than": "at least",
    "not less than": "at least", "at least": "at least", "minimum": "at least",
    "min.": "at least", "min": "at least", "≥": "at least", ">=": "at least",
    "more than": "over", "over": "over", "above": "over", ">": "over",
    "less than": "under", "fewer than": "under", "under": "under", "below": "under",
    "<": "under", "approximately": "about", "approx.": "about", "approx": "about",
    "roughly": "about", "around": "about", "about": "about", "circa": "about",
    "ca.": "about", "ca": "about", "some": "about", "nearly": "about",
    "almost": "about", "~": "about", "≈": "about", "exactly": "", "only": "",
}  # fmt: skip
BOUNDS: Final = frozenset(_BOUNDS.values()) - {""}
"""What may stand before a number: `at most 20`."""
_BOUND: Final = re.compile(
    r"(?P<bound>" + "|".join(re.escape(it) for it in _BOUNDS) + r")"
    r"(?:(?<=\w)\s+|(?<=\.)\s*|(?<=[≤=≥><~≈])\s*)(?=\S)",
    re.IGNORECASE,
)
_DIGITS: Final = (
    r"(?:\d{1,3}(?:[ \u00a0\u202f'_]\d{3})+(?:[.,]\d+)?|\d[\d.,]*(?<=\d)|[.,]\d+)"
)
_NUMBER: Final = re.compile(
    rf"(?P<sign>[+-]?)(?P<digits>{_DIGITS})(?P<exponent>[eE][+-]?\d+)?"
)
# Before an amount stand signs and codes; words do behind it: "won 3 games".
_SIGNS: Final = "|".join(
    re.escape(it)
    for it in sorted(CURRENCIES, key=len, reverse=True)
    if not it.isalpha() or it.upper() in CURRENCIES.values()
)
_PRICE: Final = re.compile(
    rf"(?P<sign>[+-]?)(?P<currency>{_SIGNS})\s*(?P<rest>[+-]?[\d.,].*)",
    re.IGNORECASE,
)
_RATE: Final = re.compile(
    r"(?P<what>.*?)\s*(?:/\s*|\b(?:per|a|an|each|every)\s+)(?P<unit>[^\W\d_]+)"
)
_PERCENT: Final = re.compile(r"%|per ?cents?|pct\.?", re.IGNORECASE)
_NOUN: Final = re.compile(r"[^\W\d_][^\W\d_-]*")
_VERSION: Final = re.compile(
    r"(?:version|release|ver\.?|v\.?)?\s*(?P<number>\d{1,12}(?:\.(?:\d{1,12}|x)){0,20}"
    r"(?P<rest>[a-z]{1,8}[0-9.]{0,12}|[-+][0-9a-z.+-]{1,40})?)",
    re.IGNORECASE,
)
# Units that are words; signs such as `min` and `GB` have no plural.
_PLURAL: Final = frozenset(["day", "week", "month", "quarter", "year", "mile"])
_PLURALS: Final = frozenset(["people", "children", "men", "women", "staff", "mice"])
_TIMES: Final = frozenset(["s", "min", "h", "day", "week", "month", "quarter", "year"])


def read_quantity(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of a number, an amount of money or a percentage.

    Raises:
        NotAValueError: It is one that nobody can mean, as `1e999`.
    """
    bound = ""
    if found := _BOUND.match(text):
        bound, text = _BOUNDS[found["bound"].lower()], text[found.end() :]
    read = _money(text) or _number_with_unit(text)
    if read is None:
        return None
    kind, token = read
    return kind, f"{bound} {token}" if bound else token


def read_version(text: str) -> tuple[ValueKind, str] | None:
    """Return the token of a version, without a `v` before it: `1.2.0` of `v1.2.0`."""
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


def _money(text: str) -> tuple[ValueKind, str] | None:
    """Return an amount of money: `420 EUR/month`."""
    currency = ""
    if found := _PRICE.fullmatch(text):
        currency, text = found["currency"], f"{found['sign']}{found['rest']}"
    found = _NUMBER.match(text)
    if found is None:
        return None
    number = _decimal(found, is_money=True)
    rest = text[found.end() :].strip()
    per = ""
    if rate := _RATE.fullmatch(rest):
        rest, per = rate["what"], _period(rate["unit"])
        if not per:
            return None
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
    amount = number.scaleb(6 if scale == "m" else _SCALES.get(scale, 0))
    if found["sign"] == "-" and not amount:
        raise NotAValueError("an amount of money is not minus nothing")
    whole = amount == amount.to_integral_value()
    cents = max(-int(amount.normalize().as_tuple().exponent), 2)
    return ValueKind.MONEY, f"{amount:.{0 if whole else cents}f} {known}{per}"


def _number_with_unit(text: str) -> tuple[ValueKind, str] | None:
    """Return a number, alone or with a unit or what it counts: `24 min`, `8 gpus`."""
    word, _, rest = text.partition(" ")
    small = word.lower()
    if small in ("a", "an") and UNITS.get(rest.lower()) in _TIMES:
        word = text = f"1 {rest}"
    elif small in _WORDS:
        text = f"{_WORDS[small]} {rest}"
    found = _NUMBER.match(text)
    if found is None:
        return None
    number = _decimal(found)
    if number is None:
        return None
    rest = text[found.end() :]
    if _PERCENT.fullmatch(rest.strip()):
        return ValueKind.PERCENT, f"{_plain(number.normalize())}%"
    for name, power in _SCALES.items():
        tail = rest.strip().removeprefix(name)
        if tail != rest.strip() and (not tail or not tail[0].isalpha()):
            number, rest = number.scaleb(power), tail
            number = number.quantize(Decimal(1)) if not number % 1 else number
            break
    if not rest.strip():
        return ValueKind.NUMBER, _plain(number)
    unit = _unit(rest, number)
    if unit is None:
        return None
    if unit[0] == "/":
        return ValueKind.NUMBER, f"{_plain(number)}{unit}"
    return ValueKind.NUMBER, f"{_plain(_short(number))} {unit}"


def _decimal(found: re.Match[str], *, is_money: bool = False) -> Decimal | None:
    """Return the number that a text means by its points and commas; None if it is none.

    Raises:
        NotAValueError: It has more digits than a number that somebody means.
    """
    digits = re.sub(r"[ \u00a0\u202f'_]", "", found["digits"])
    dots, commas = digits.count("."), digits.count(",")
    last = max(digits.rfind("."), digits.rfind(","))
    groups = re.fullmatch(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*", digits)
    if dots and commas:
        whole, part = digits[:last], digits[last:]
        if not re.fullmatch(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*", whole):
            return None
        digits = re.sub("[.,]", "", whole) + part.replace(",", ".")
    elif groups and (commas or dots > 1 or is_money):
        digits = re.sub("[.,]", "", digits)
    elif dots + commas > 1:
        return None
    digits = digits.replace(",", ".")
    if len(digits) > 1 and digits[0] == "0" and digits[1] != ".":
        return None  # a code, as 007
    number = Decimal(f"{digits}{found['exponent'] or ''}"[: DIGITS_MAX * 4])
    if len(digits) > DIGITS_MAX or (number and abs(number.adjusted()) >= DIGITS_MAX):
        raise NotAValueError(
            f"a number has at most {DIGITS_MAX} digits, also written out"
        )
    if found["exponent"]:
        number = _short(number)
    return -number if found["sign"] == "-" else number


def _plain(number: Decimal) -> str:
    return f"{number:f}"


def _short(number: Decimal) -> Decimal:
    """Return a number without the zeros at its end."""
    return Decimal(f"{number.normalize():f}")


def _unit(text: str, number: Decimal) -> str | None:
    """Return a unit, or the plural of what is counted; None if it is neither."""
    attached = not text[0].isspace()
    text = text.strip()
    if known := _known_unit(text):
        return _inflected(known, number)
    if rate := _RATE.fullmatch(text):
        per = _period(rate["unit"])
        what = rate["what"].strip()
        if per and not what:
            return per
        known = _known_unit(what)
        counted = known or (None if attached else _counted(what, number))
        return f"{counted}{per}" if per and counted else None
    return None if attached else _counted(text, number)


def _known_unit(text: str) -> str | None:
    name = re.sub(r"[\s-]+", "_", text)
    return UNITS.get(name) or UNITS.get(name.lower() if len(name) > 1 else name)


def _period(word: str) -> str:
    """Return `/month` of a month; empty if it is no unit."""
    known = _known_unit(word)
    return f"/{known}" if known else ""


def _inflected(unit: str, number: Decimal) -> str:
    return f"{unit}s" if unit in _PLURAL and number != 1 else unit


def _counted(text: str, number: Decimal) -> str | None:
    """Return what is counted, in the plural unless it is one; None if it is no noun."""
    if not _NOUN.fullmatch(text) or text.lower() in STOPWORDS or len(text) > 32:
        return None
    noun = text.lower()
    if number == 1 or noun.endswith("s") or noun in _PLURALS:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("x", "ch", "sh")) else f"{noun}s"
