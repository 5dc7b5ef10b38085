"""Rules that detect private data in texts, which is never shown in public.

Precision first: versions, ports, commits and ISBNs are not private. Names alone are not
detected, nor words of languages other than English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache, partial
from ipaddress import ip_address

from stdnum import iban, luhn
from stdnum.es import dni, nie

from festinger.core.system.secrets import redact

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


_NEAR = 80
"""Distance, in characters, within which a private word must have a person nearby."""


class PrivateDataKind(StrEnum):
    """Kind of private data."""

    EMAIL = "email"
    PHONE = "phone"
    IBAN = "iban"
    CARD = "card"
    NATIONAL_ID = "national_id"
    IP_ADDRESS = "ip_address"
    ADDRESS = "address"
    BIRTH_DATE = "birth_date"
    HEALTH = "health"
    FINANCE = "finance"
    SEXUALITY = "sexuality"
    RELIGION = "religion"
    SECRET = "secret"


def is_private(*texts: str) -> bool:
    """Return whether any of these texts contains private data."""
    return any(private_in(text) for text in texts if text)


@lru_cache(maxsize=256)  # several candidates may share a sentence
def private_in(text: str) -> frozenset[PrivateDataKind]:
    """Return the kinds of private data in a text, in time linear in its length."""
    plain = plainly(text)
    # Looking for numbers where there is no digit is two thirds of the time.
    numbered = _DIGIT.search(plain) is not None
    return frozenset(
        kind
        for kind, holds in _RULES
        if (numbered or kind not in _NUMBERED) and holds(plain)
    )


def is_private_predicate(name: str) -> bool:
    """Return whether all statements of a predicate are private.

    Args:
        name: Its URI or dimension. Example: `t:dateOfBirth`, `home-address`.
    """
    # "t:dateOfBirth" and "home-address" become words, so that "phone" is not in "telephonist".
    words = " ".join(_CAMEL.findall(name)).lower()
    return _PRIVATE_PREDICATE.search(words) is not None


def plainly(text: str) -> str:
    """Normalise a text, so that unusual characters do not hide private data."""
    # Compatibility forms: letters of full width become plain ones.
    plain = unicodedata.normalize("NFKC", text)
    if not plain.isascii():
        plain = "".join(map(_plain, plain))
    # "alice (at) example (dot) org" becomes an address.
    return _DOT.sub(".", _AT.sub("@", plain))


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Pd":
        return "-"
    if category == "Zs":
        return " "
    if category in ("Pi", "Pf"):
        return "'"
    # Joiners, direction marks, soft hyphens, variation selectors.
    invisible = category == "Cf" or "\ufe00" <= character <= "\ufe0f"
    return "" if invisible or character == "\u034f" else character


_DIGIT = re.compile(r"\d")
_AT = re.compile(r" ?[\[({] ?at ?[\])}] ?", re.IGNORECASE)
_DOT = re.compile(r" ?[\[({] ?dot ?[\])}] ?", re.IGNORECASE)
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# All statements of such a predicate are private, whatever their object looks like.
_PRIVATE_PREDICATE = re.compile(
    r"\b(?:diagnos\w+|disease|illness|medication|medical|health|pregnan\w+|disability|"
    r"therap\w+|salary|income|debts?|earns|wage|net worth|religion|religious|faith|"
    r"sexual\w*|orientation|gender|ethnicity|race|ssn|passport|phone|mobile|e ?mail|"
    r"(?:home|street|postal) address|address|birthday|birth|born|password|secret|iban|"
    r"account number|credit card)\b"
)

# Repetitions are bounded, so that no text takes quadratic time; git@ and noreply@ are nobody.
_EMAIL = re.compile(
    r"(?<![\w.+-])(?!(?:git|no-?reply)@)[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}",
    re.IGNORECASE,
)
_PHONE = re.compile(
    # With the country's code, or in the form of North America.
    r"(?<![\w+.])(?:\+|00(?=[1-9]))(?=(?:[ ()./-]{0,2}\d){8,15}(?!\d))[1-9]"
    r"|(?<![\w.+-])(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d([-. ]))[2-9]\d\d"
    r"(?(1)\1|[-. ])\d{4}(?![\w-]|\.\d)"
    r"|\b(?:phone|telephone|tel|mobile|cell|whatsapp|(?:call|text|ring|reach) "
    r"(?:me|him|her|them|us))\b(?: number)?[^\d\n]{0,16}"
    r"\(?(?:\d[ ()./-]{0,2}){6,14}\d\b",
    re.IGNORECASE,
)
# Two letters, two check digits and the rest; whether it is one is left to the checksum.
_IBAN = re.compile(r"(?<![^\W_])[A-Z]{2}\d{2}(?=[ -]?[A-Z0-9]{4})", re.IGNORECASE)
# 13 to 19 digits with single spaces or dashes, not inside of a longer number or a decimal.
_CARD = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)")
_NATIONAL_ID = re.compile(
    # The United States, Britain, Spain, Italy; other ids only if named (`_NAMED_ID`).
    r"(?<![\w-])(?!000|666|9)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}(?![\w-])"
    r"|\b(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
    r"( ?)\d\d\2\d\d\2\d\d\2[A-D]\b"
    r"|\b(?P<dni>[XYZ]?\d{7,8}-?[A-Z])\b"
    r"|\b[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]\b"
)
# Numbers that look like any other are ids if they are called so: "passport: C01X00T47".
_NAMED_ID = re.compile(
    r"\b(?:ssn|social security|passport|national (?:id|insurance)|tax(?:payer)? id|"
    r"driver'?s licen[cs]e|identity card|steuer-?id|bsn|aadhaar)\b"
    r"[^\d\n]{0,24}\w{0,3}\d(?:[ -]?\w){5,}",
    re.IGNORECASE,
)
# Followed by `.5` or `-1` it is a version or a range.
_IPV4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d|-\d)")
# "version 1.2.3.4" and "numpy==1.2.3.4": four numbers that are no address.
_VERSION = re.compile(r"(?:\b(?:version|release|build|ver|v)\.? ?|[=~<>^]=?\s?)$", re.I)
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])", re.I)
# "12 Elm Street", "Hauptstraße 5", "5 rue de la Paix", "P.O. Box 7". Drive, Court and
# the like have other senses ("3 Test Drive runs"), so they must end the phrase.
_ADDRESS = re.compile(
    r"\b\d{1,5}[A-Za-z]?,? (?:(?:N|S|E|W|North|South|East|West)\.? )?"
    r"(?:[A-Z\d][\w'.-]{0,30} ){1,3}"
    r"(?:(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Crescent|Terrace)\b"
    r"|(?:Drive|Dr|Court|Ct|Square|Sq|Place|Pl|Way)\b(?= ?(?:[,.;)]|$)))"
    r"|\b[A-ZÄÖÜ][a-zäöüß-]{2,30}(?:straße|strasse|str\.|weg|gasse|platz|allee|damm|ufer)"
    r" ?\d{1,4}[a-z]?\b"
    r"|\b[A-ZÄÖÜ][a-zäöüß-]{2,30}er (?:Straße|Strasse|Str\.|Weg|Platz|Allee) \d{1,4}\b"
    r"|\b\d{1,4},? (?:bis |ter )?(?:rue|avenue|boulevard|chemin|impasse) "
    r"(?:de |du |des |de la |de l')?[A-ZÉÈ]"
    r"|\bP\.?O\.? Box \d"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?![a-z])"
# A date near a word of birth: "born on 3 May 1990"; a date alone is no birthday.
_BIRTH_DATE = re.compile(
    r"\b(?:born|birth ?date|birthday|date of birth|dob|d\.o\.b|geboren)\b[^\n]{0,24}?"
    rf"(?:\b\d{{1,4}}[-/.] ?\d{{1,2}}[-/.] ?\d{{1,4}}\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|\b{_MONTH} \d{{1,2}}\b)",
    re.IGNORECASE,
)
# A pronoun, a relative, a mention, a possessive ("Anna's") or a name with a verb ("Anna has").
_PERSON = re.compile(
    r"(?<![\w@])(?:[Ii]|[Ii]'(?:m|ve|d|ll)|[Mm]y|[Mm]e|[Mm]ine|[Hh]e|[Ss]he|[Hh]is|"
    r"[Hh]ers?|[Hh]im|[Tt]hey|[Tt]heir|[Tt]hem|[Ww]e|[Oo]ur|[Yy]ou|[Yy]our|[Ww]ho|"
    r"wife|husband|mother|father|mom|mum|dad|son|daughter|brother|sister|girlfriend|"
    r"boyfriend|colleague|neighbou?r|friend|boss|patient)(?!\w)"
    r"|@\w|[^\W\d_]'s\b"
    r"|(?<!\w)[A-Z][^\W\d_]{1,30} (?:has|had|is|was|got|suffers|takes|joined|attends|"
    r"visits|earns|makes|owes|came|works|dates|became|converted)\b"
)
# Private only if somebody is near: "cancer research" is a topic, "she has cancer" is
# not. "technical debt" and "tech debt" are left out.
_WORDS: dict[PrivateDataKind, re.Pattern[str]] = {
    PrivateDataKind.HEALTH: re.compile(
        r"\b(?:hiv|cancer|tumou?r|diabet\w+|depression|antidepressants?|bipolar|"
        r"schizophreni\w+|chemo(?:therapy)?|pregnan(?:t|cy)|abortion|miscarriage|"
        r"epilep\w+|autis(?:m|tic)|adhd|asthma(?:tic)?|dialysis|herpes|hepatitis|insulin|"
        r"psychiatr\w+|psychotherap\w+|therapist|in therapy|rehab|alcoholi(?:c|cs|sm)|"
        r"anorexi[ac]|bulimi[ac]|dementia|alzheimer\w*|parkinson\w*|covid|diagnosed with|"
        r"prescri(?:bed|ption)|medication|mental(?:ly)? (?:health|ill\w*)|"
        r"multiple sclerosis|heart attack|panic attacks?|ptsd)\b",
        re.IGNORECASE,
    ),
    PrivateDataKind.FINANCE: re.compile(
        r"\b(?:salar(?:y|ies)|pay ?check|bankrupt(?:cy)?|mortgage|overdraft|"
        r"credit score|net worth|in debt|(?<!technical )(?<!tech )debts?|"
        r"bank (?:account|balance)|tax returns?|alimony|child support|welfare|"
        r"foreclosure|payday loan|student loans?|unemployment benefits?|"
        r"(?:earns?|makes?|owes?) (?:about |around |over )?[$€£¥]? ?\d[\d,.]*k?)\b",
        re.IGNORECASE,
    ),
    PrivateDataKind.SEXUALITY: re.compile(
        r"\b(?:gay|lesbian|bisexual|homosexual|heterosexual|asexual|pansexual|queer|"
        r"trans(?:gender|sexual)|trans (?:wo)?man|non-?binary|sexual (?:orientation|"
        r"preference|partner)|sex life|came out as|sle(?:pt|eps|eping) with|"
        r"(?:an|having an) affair with|one.night stand)\b",
        re.IGNORECASE,
    ),
    PrivateDataKind.RELIGION: re.compile(
        r"\b(?:catholics?|protestant|jew(?:s|ish)?|judaism|muslims?|islam|hindu(?:ism)?|"
        r"buddhis[tm]|sikh|atheist|agnostic|mormon|evangelical|jehovah\w*|scientolog\w+|"
        r"(?:an?|devout|practi[sc]ing|born.again) christian|christianity|synagogue|mosque|"
        r"converted to|religious (?:belief|faith)s?)\b",
        re.IGNORECASE,
    ),
}


# The text behind the country's letters, since the length depends on the country.
def _has_iban(text: str) -> bool:
    return any(
        is_iban(text[match.start() : match.start() + IBAN_MAX])
        for match in _IBAN.finditer(text)
    )


def _has_card(text: str) -> bool:
    return any(is_card(match[0]) for match in _CARD.finditer(text))


def _has_national_id(text: str) -> bool:
    # A DNI looks like many part numbers, so that its letter is checked.
    return _NAMED_ID.search(text) is not None or any(
        not match["dni"] or is_dni(match["dni"])
        for match in _NATIONAL_ID.finditer(text)
    )


def _has_ip_address(text: str) -> bool:
    return any(_is_address(match[0]) for match in _IPV6.finditer(text)) or any(
        # "v1.2.3.4": what precedes an address is looked at, twelve characters back.
        _is_address(match[0])
        and not _VERSION.search(text[max(0, match.start() - 12) : match.start()])
        for match in _IPV4.finditer(text)
    )


def _is_address(text: str) -> bool:
    """Return whether a text is an IP address other than loopback and unspecified."""
    if ":" in text and (sum(map(str.isalnum, text)) < 5 or not _DIGIT.search(text)):
        # `a::b` is a qualified name in programming languages.
        return False
    try:
        address = ip_address(text)
    except ValueError:  # `999.1.1.1`
        return False
    # 127.0.0.1 and 0.0.0.0 are in every manual.
    return not (address.is_loopback or address.is_unspecified)


def _of_somebody(words: re.Pattern[str], text: str) -> bool:
    """Return whether one of these words stands near a mention of a person."""
    # On both sides of the word: "she was diagnosed" and "cancer, he says".
    return any(
        _PERSON.search(text, max(0, match.start() - _NEAR), match.end() + _NEAR)
        for match in words.finditer(text)
    )


_NUMBERED = {
    PrivateDataKind.PHONE,
    PrivateDataKind.IBAN,
    PrivateDataKind.CARD,
    PrivateDataKind.NATIONAL_ID,
    PrivateDataKind.IP_ADDRESS,
    PrivateDataKind.ADDRESS,
    PrivateDataKind.BIRTH_DATE,
}
"""Kinds that always contain a digit: most sentences have none."""

_RULES: Iterable[tuple[PrivateDataKind, Callable[[str], object]]] = (
    (PrivateDataKind.EMAIL, _EMAIL.search),
    (PrivateDataKind.PHONE, _PHONE.search),
    (PrivateDataKind.IBAN, _has_iban),
    (PrivateDataKind.CARD, _has_card),
    (PrivateDataKind.NATIONAL_ID, _has_national_id),
    (PrivateDataKind.IP_ADDRESS, _has_ip_address),
    (PrivateDataKind.ADDRESS, _ADDRESS.search),
    (PrivateDataKind.BIRTH_DATE, _BIRTH_DATE.search),
    (PrivateDataKind.SECRET, lambda text: redact(text) != text),
    *((kind, partial(_of_somebody, words)) for kind, words in _WORDS.items()),
)
