"""Checks of numbers with check digits: bank accounts, cards, national identities."""

from __future__ import annotations

from itertools import islice

_IBANS = """
    AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18
    DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23
    IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19
    MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24
    SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20
"""
_IBAN_LENGTHS = {each[:2]: int(each[2:]) for each in _IBANS.split()}
IBAN_MAX = 2 * max(_IBAN_LENGTHS.values())
"""Maximum characters of an account number, with a space after each character."""
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def is_iban(text: str) -> bool:
    """Return whether a text begins with a valid international bank account number.

    Spaces and dashes between its characters are ignored.
    """
    length = _IBAN_LENGTHS.get(text[:2].upper())
    if length is None:
        return False
    characters = (each for each in text.upper() if each not in " -")
    number = "".join(islice(characters, length))
    if len(number) < length or not (number.isascii() and number.isalnum()):
        return False
    moved = number[4:] + number[:4]
    return int("".join(str(int(each, 36)) for each in moved)) % 97 == 1


def is_card(text: str) -> bool:
    """Return whether digits are a card number of a known issuer with a valid sum."""
    digits = [int(each) for each in text if each.isdigit()]
    return _is_issued(digits) and _luhn(digits)


def is_dni(text: str) -> bool:
    """Return whether a text is a Spanish identity number (DNI or NIE) by its letter."""
    plain = text.replace("-", "")
    digits = plain[:-1].translate(str.maketrans("XYZ", "012"))
    if len(digits) != 8:
        return False
    return _DNI_LETTERS[int(digits) % len(_DNI_LETTERS)] == plain[-1]


def _is_issued(digits: list[int]) -> bool:
    length = len(digits)
    two = digits[0] * 10 + digits[1]
    four = two * 100 + digits[2] * 10 + digits[3]
    if digits[0] == 4:
        return length in (13, 16)
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return length == 16
    if two in (34, 37):
        return length == 15
    if two in (36, 38, 39) or 3000 <= four <= 3059:
        return length == 14
    return length == 16 and (four == 6011 or two in (35, 65) or 6440 <= four <= 6499)


def _luhn(digits: list[int]) -> bool:
    doubled = (
        sum(divmod(2 * digit, 10)) if place % 2 else digit
        for place, digit in enumerate(reversed(digits))
    )
    return sum(doubled) % 10 == 0
