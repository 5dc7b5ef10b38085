"""Checks of numbers with check digits: bank accounts, cards, national identities."""

from __future__ import annotations

from stdnum import iban, luhn
from stdnum.es import dni, nie

_IBAN_LENGTHS = range(15, 33)
"""Characters of an account number, from Norway's to Saint Lucia's."""
IBAN_MAX = 2 * _IBAN_LENGTHS[-1]
"""Maximum characters of an account number, with a space after each character."""


def is_iban(text: str) -> bool:
    """Return whether a text begins with a valid international bank account number.

    Spaces, dashes and dots between its characters are ignored.
    """
    plain = iban.compact(text)
    # The registry has one length for each country, so at most one of them is valid. The
    # countries' own checks are left out: a wrong inner digit is private as well.
    return any(
        iban.is_valid(plain[:length], check_country=False)
        for length in _IBAN_LENGTHS
        if length <= len(plain)
    )


def is_card(text: str) -> bool:
    """Return whether digits are a card number of a known issuer with a valid sum."""
    digits = "".join(each for each in text if each.isdigit())
    # One of ten random numbers has a valid sum: the issuer's prefix keeps out order numbers.
    return _is_issued(digits) and luhn.is_valid(digits)


def is_dni(text: str) -> bool:
    """Return whether a text is a Spanish identity number (DNI or NIE) by its letter."""
    return dni.is_valid(text) or nie.is_valid(text)


def _is_issued(digits: str) -> bool:
    length, two, four = len(digits), int(digits[:2]), int(digits[:4])
    if digits[0] == "4":
        return length in (13, 16)  # Visa, whose old cards have 13 digits
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return length == 16  # Mastercard; 2221 to 2720 since 2017
    if two in (34, 37):
        return length == 15  # American Express
    if two in (36, 38, 39) or 3000 <= four <= 3059:
        return length == 14  # Diners Club
    # Discover (6011, 644 to 649, 65) and JCB (35).
    return length == 16 and (four == 6011 or two in (35, 65) or 6440 <= four <= 6499)
