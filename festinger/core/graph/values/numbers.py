"""Numbers as people write them: 1,200, 1.200,50, .5, 3e-4, twelve."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from festinger.core.system.wordsets import word_list
from festinger.errors import NotAValueError

DIGITS_MAX: Final = 30  # written out, a number must fit into a token

SMALL_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        word_list("""
            zero one two three four five six seven eight nine ten eleven twelve
            thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
        """)
    )
}
NUMBER_WORDS: Final = SMALL_NUMBERS | {
    word: f"{number}0"
    for number, word in enumerate(
        ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"],
        start=3,
    )
}
SCALES: Final = {
    "k": 3, "K": 3, "thousand": 3, "M": 6, "mio": 6, "million": 6, "millions": 6,
    "bn": 9, "billion": 9, "billions": 9,
}  # fmt: skip
# Groups of three with blanks or apostrophes, digits with dots or commas, or ".5".
_DIGITS: Final = (
    r"(?:\d{1,3}(?:[ \u00a0\u202f'_]\d{3})+(?:[.,]\d+)?|\d[\d.,]*(?<=\d)|[.,]\d+)"
)
NUMBER: Final = re.compile(
    rf"(?P<sign>[+-]?)(?P<digits>{_DIGITS})(?P<exponent>[eE][+-]?\d+)?"
)


def read_decimal(found: re.Match[str], *, is_money: bool = False) -> Decimal | None:
    """Return the number that a match of `NUMBER` represents; None if it is none.

    Raises:
        NotAValueError: It has more than `DIGITS_MAX` digits.
    """
    digits = re.sub(r"[ \u00a0\u202f'_]", "", found["digits"])
    dots, commas = digits.count("."), digits.count(",")
    # The last sign of two kinds is the decimal one: "1.200,50" and "1,200.50".
    last = max(digits.rfind("."), digits.rfind(","))
    groups = re.fullmatch(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*", digits)
    if dots and commas:
        whole, part = digits[:last], digits[last:]
        if not re.fullmatch(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*", whole):
            return None
        digits = re.sub("[.,]", "", whole) + part.replace(",", ".")
    # "1.200" is 1.2, but 1,200 with money; "1,200" is always a group.
    elif groups and (commas or dots > 1 or is_money):
        digits = re.sub("[.,]", "", digits)
    elif dots + commas > 1:  # "1.2.3" is a version
        return None
    digits = digits.replace(",", ".")
    if len(digits) > 1 and digits[0] == "0" and digits[1] != ".":
        return None  # a code, as 007
    # Cut, since Decimal of a million digits takes long.
    number = Decimal(f"{digits}{found['exponent'] or ''}"[: DIGITS_MAX * 4])
    if len(digits) > DIGITS_MAX or (number and abs(number.adjusted()) >= DIGITS_MAX):
        raise NotAValueError(
            f"a number has at most {DIGITS_MAX} digits, also written out"
        )
    if found["exponent"]:  # "3e-4" has no zeros that anybody wrote
        number = shortened(number)
    return -number if found["sign"] == "-" else number


def plain(number: Decimal) -> str:
    """Return a number in the notation of tokens, without an exponent."""
    return f"{number:f}"


def shortened(number: Decimal) -> Decimal:
    """Return a number without trailing zeros."""
    return Decimal(f"{number.normalize():f}")
