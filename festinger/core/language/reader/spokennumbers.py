"""Numbers in words: "two thousand four hundred", "twenty-first", "oh seven double nine"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from festinger.core.graph.values.numbers import NUMBER_WORDS

ORDINALS: Final = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6",
    "seventh": "7", "eighth": "8", "ninth": "9", "tenth": "10", "eleventh": "11",
    "twelfth": "12", "thirteenth": "13", "fourteenth": "14", "fifteenth": "15",
    "sixteenth": "16", "seventeenth": "17", "eighteenth": "18", "nineteenth": "19",
    "twentieth": "20", "thirtieth": "30",
}  # fmt: skip
"""Numbers by ordinal, in digits."""
_VALUES: Final = {
    word: int(number)
    for word, number in (NUMBER_WORDS | ORDINALS).items()
    if word != "hundred"
}
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_WORDS: Final = "|".join(sorted([*_VALUES, *_SCALES], key=len, reverse=True))
_RUN: Final = re.compile(
    rf"\b(?:{_WORDS})(?:(?:[ -]|,? and | a )(?:{_WORDS}))*\b", re.IGNORECASE
)

_DIGITS: Final = {
    word: number for word, number in NUMBER_WORDS.items() if len(number) == 1
} | {"oh": "0", "nought": "0"}
_DIGIT: Final = rf"(?:(?:double|triple) )?(?:{'|'.join(_DIGITS)})"
# "Oh one four three four": a telephone number, digit by digit.
_DICTATED: Final = re.compile(rf"\b{_DIGIT}(?: {_DIGIT}){{2,}}\b", re.IGNORECASE)


def spoken_numbers(text: str) -> set[str]:
    """Return the numbers that are written in words, in digits.

    Words that do not add up are several numbers; two of two digits may also be a year.
    """
    numbers: set[str] = set()
    for run in _RUN.findall(text):
        found = [*_numbers(re.split(r"[ ,-]+", run.lower()))]
        numbers.update(map(str, found))
        # "Twenty nineteen", and "two fifty" for 2.50.
        for high, low in pairwise(found):
            if high < 100 and 10 <= low < 100:
                numbers |= {f"{high}{low}", f"{high}.{low}"}
    # As everywhere in comparisons, without leading zeros.
    numbers.update(_dictated(run).lstrip("0") or "0" for run in _DICTATED.findall(text))
    return numbers


def _dictated(run: str) -> str:
    """Return the digits of a number that was said digit by digit."""
    digits = ""
    times = 1
    for word in run.lower().split():
        if word in _DIGITS:
            digits += _DIGITS[word] * times
            times = 1
        else:
            times = 2 if word == "double" else 3
    return digits


def _numbers(words: list[str]) -> Iterator[int]:
    """Yield the numbers that words add up to."""
    # `total` has the thousands, `group` what is below them.
    total = group = 0
    is_empty = True
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            if scale == 100:
                group = (group or 1) * scale
            else:
                total, group = total + (group or 1) * scale, 0
        elif word in _VALUES:
            value = _VALUES[word]
            # "Forty" may have a unit behind it, "hundred" and "thousand" anything below.
            fits = group % 100 == 0 or (
                group % 100 >= 20 and group % 10 == 0 and value < 10
            )
            if not fits:
                yield total + group
                total = group = 0
            group += value
        else:
            continue  # "a", "and"
        is_empty = False
    if not is_empty:
        yield total + group
