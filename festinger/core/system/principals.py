"""Names of principals: equality across spellings, lookalikes (I5), and in headers."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Small letters of other scripts, and the Latin letter that each resembles. Letters that
# look alike only as capitals are included: names are compared without regard to case.
_ALIKE = str.maketrans(
    "авгеѕіјкмнорстухԁһԛԝӏԍꮯꭲ"  # Cyrillic, and two Cherokee
    "αβγεζηικμνορςστυχω"  # Greek
    "օոսհցքյɑɡıȷⅼ",  # Armenian, and Latin's own doubles
    "abresijkmhopctyxdhqwlgctabyeznikuvopcotuxwonuhgqjagijl",
)

_PLAIN = frozenset(f"{string.ascii_letters}{string.digits}_.@:+-".encode())
"""Bytes that are sent as they are in the metadata of a call; others are escaped."""
_SIGNS = frozenset("_.@:+-")
_ENCODED = re.compile(rb"%([0-9A-Fa-f]{2})")  # such as `%C3`


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """Return a name without regard to case and width, as a key of the principal."""
    # Folding can make characters that compose anew, hence the second time.
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


@lru_cache(maxsize=4096)
def _shape(name: str) -> str:
    """Return the appearance of a name: without marks, and in Latin lookalikes."""
    parts = unicodedata.normalize("NFD", plain(name))
    bare = "".join(it for it in parts if not unicodedata.combining(it))
    return bare.translate(_ALIKE)


def is_same(one: str, other: str) -> bool:
    """Return whether two names are the same principal; an empty name equals none."""
    return bool(one) and plain(one) == plain(other)


def as_metadata(name: str) -> str:
    """Return a name percent-encoded in ASCII, for the metadata of a call."""
    return "".join(
        chr(it) if it in _PLAIN else f"%{it:02X}"
        for it in name.encode(errors="replace")  # halves of surrogate pairs become `?`
    )


def of_metadata(value: str) -> str:
    """Return the name in the metadata of a call.

    Raises:
        ValueError: It does not decode to text.
    """
    if "%" not in value:
        return value
    return _ENCODED.sub(
        lambda it: bytes.fromhex(it[1].decode()), value.encode()
    ).decode()


def bearer_in(authorization: str) -> str | None:
    """Return the bearer token of an `Authorization` header; None for another scheme."""
    scheme, _, token = authorization.partition(" ")
    # The scheme's case does not matter (RFC 9110).
    return token.strip() if scheme.lower() == "bearer" else None


def is_name(text: str, characters_max: int) -> bool:
    """Return whether a text is a valid name of a person or project, in any script."""
    # Letters, marks and numbers, by the first letter of the category.
    return 0 < len(text) <= characters_max and all(
        it in _SIGNS or unicodedata.category(it)[0] in "LMN" for it in text
    )


def is_title(text: str, characters_max: int) -> bool:
    """Return whether a text is a valid project title: printable, without a slash."""
    return (
        0 < len(text) <= characters_max
        and text == text.strip()
        and text.isprintable()
        and "/" not in text
    )


def double_of(name: str, known: Iterable[str]) -> str:
    """Return the first known principal that looks like a name but differs; else ""."""
    # Such as by a Cyrillic letter that resembles a Latin one: people cannot tell them apart,
    # so it is refused if the other exists, rather than counted as either.
    return next(
        (
            each
            for each in known
            if each and _shape(each) == _shape(name) and not is_same(each, name)
        ),
        "",
    )
