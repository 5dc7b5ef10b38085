"""Amounts of money."""

from __future__ import annotations

import re
from typing import Final

from festinger.core.graph.seeddata import CURRENCIES
from festinger.core.graph.values.kinds import ValueKind
from festinger.core.graph.values.numbers import NUMBER, SCALES, read_decimal
from festinger.core.graph.values.units import RATE, period
from festinger.errors import NotAValueError

# Only signs and codes may precede an amount; words follow it: "won 3 games".
_SIGNS: Final = "|".join(
    re.escape(it)
    for it in sorted(CURRENCIES, key=len, reverse=True)  # "US$" before "$"
    if not it.isalpha() or it.upper() in CURRENCIES.values()
)
_PRICE: Final = re.compile(
    rf"(?P<sign>[+-]?)(?P<currency>{_SIGNS})\s*(?P<rest>[+-]?[\d.,].*)",
    re.IGNORECASE,
)


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
