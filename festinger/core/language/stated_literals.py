"""Find the times, days, amounts and numbers in sentences, to compare their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import lru_cache
from typing import Final

from festinger.core.graph.values.dates import MONTH_FORM, WEEKDAY_FORM
from festinger.core.language.terms import terms

LABEL_MAX: Final = 40
"""Maximum number of characters of a word before a number, with the space behind it."""
_CURRENCY: Final = r"(?:euros?|eur|dollars?|usd|pounds?|gbp|quid|[€£$])"
# Special forms first: of "3 May" the 3 is no number. "17:30", "half past six", "3rd of May",
# "fridays", "v1.2.3", "$1,200", and any other number with the word behind it.
_LITERAL: Final = re.compile(
    r"(?P<time>\b\d{1,2}[:.h]\d\d(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b|\bnoon\b"
    r"|\bmidnight\b|\bhalf (?:past )?\w+|\bquarter (?:past|to) \w+)"
    rf"|(?P<date>\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH_FORM}\b"
    rf"|\b{MONTH_FORM} \d{{1,2}}\b|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)\b)"
    rf"|(?P<day>\b{WEEKDAY_FORM}(?:days?)?\b)"
    r"|(?P<version>\bv?\d+(?:\.\d+){2,})"
    rf"|(?P<money>[$€£]\s?\d[\d.,]*k?|\b\d[\d.,]*k?\s?{_CURRENCY}(?!\w))"
    r"|(?P<number>(?<![\w.])\d(?:[\d.,]*\d)?)"
    r"(?:\s?(?P<unit>[a-z%°]+))?"
)
_KINDS: Final = ("time", "date", "day", "version", "money")
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b|\s")  # "3rd May" is "3 may"
# "1,200" is 1200; a point is a decimal one, but with money: "1.200 euros".
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}\b)")
_THOUSANDS_OF_MONEY: Final = re.compile(r"(?<=\d)[.,](?=\d{3}\b)")
_NOT_AMOUNT: Final = re.compile(r"[^\d.,k]|[.,]$")
_LABEL: Final = re.compile(r"([a-z]+)\s+$")  # the word before a number: "pier 6"


def differs(earlier: str, later: str) -> bool:
    """Return whether two texts have literals of one kind, but none in common."""
    before = _literals_in(earlier)
    if not before:
        return False
    after = _literals_in(later)
    # "At 17:00" and "till 18:30" differ; "6 seats" and "9 euros" are of different kinds.
    return any(before[kind].isdisjoint(after[kind]) for kind in before.keys() & after)


@lru_cache(maxsize=2_000)
def _literals_in(text: str) -> Mapping[str, Set[str]]:
    """Return the literals of a text by their kind."""
    found: dict[str, set[str]] = {}
    text = text.lower()
    for match in _LITERAL.finditer(text):
        kind = next((it for it in _KINDS if match[it]), "")
        if kind:
            found.setdefault(kind, set()).add(_as_value(kind, match[kind]))
            continue
        # From a fixed distance, so that the time is linear in the length of the text.
        label = _LABEL.search(text, max(0, match.start() - LABEL_MAX), match.start())
        names = {"unit": match["unit"] or "", "label": label[1] if label else ""}
        kinds = {f"{it} {term}" for it in names for term in terms(names[it])[:1]}
        # "Pier 6" and "pier 9" differ by their label, "6 seats" and "9 seats" by their unit.
        number = _THOUSANDS.sub("", match["number"])
        for each in kinds or {"number"}:
            found.setdefault(each, set()).add(number)
    return found


def _as_value(kind: str, text: str) -> str:
    """Return a literal in the same form however it is written."""
    if kind == "money":
        return _THOUSANDS_OF_MONEY.sub("", _NOT_AMOUNT.sub("", text))
    text = _ORDINAL.sub("", text)
    return text[:3] if kind == "day" else text  # "fri" and "fridays"
