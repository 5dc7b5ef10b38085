"""Who is who: names that are one, and names that only look like it (I5).

A principal is named in letters, digits and `. @ : + - _` of whatever script. Two
spellings of one name, in capitals or in wide letters, are one principal. A name that
merely reads like another, by a Cyrillic letter that looks as a Latin one does, is another
one, whom people cannot tell apart: it is refused beside the first instead of being counted,
as either.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Small letters of other scripts, and the Latin one that each reads like. What looks alike
# only as a capital is here too: names are compared without regard to case.
_ALIKE = str.maketrans(
    "авгеѕіјкмнорстухԁһԛԝӏԍꮯꭲ"  # Cyrillic, and two Cherokee
    "αβγεζηικμνορςστυχω"  # Greek
    "օոսհցքյɑɡıȷⅼ",  # Armenian, and Latin's own doubles
    "abresijkmhopctyxdhqwlgctabyeznikuvopcotuxwonuhgqjagijl",
)

_PLAIN = frozenset(f"{string.ascii_letters}{string.digits}_.@:+-".encode())
"""What stands for itself in the metadata of a call; any other byte is percent-encoded."""
_SIGNS = frozenset("_.@:+-")
_ENCODED = re.compile(rb"%([0-9A-Fa-f]{2})")


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """A name without regard to case and width: two that are one have the same."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


@lru_cache(maxsize=4096)
def _shape(name: str) -> str:
    """What a name reads like: marks taken off, letters of other scripts as Latin ones."""
    parts = unicodedata.normalize("NFD", plain(name))
    bare = "".join(it for it in parts if not unicodedata.combining(it))
    return bare.translate(_ALIKE)


def is_same(one: str, other: str) -> bool:
    """Whether two names are one principal; nobody is nobody's."""
    return bool(one) and plain(one) == plain(other)


def as_metadata(name: str) -> str:
    """A name as the metadata of a call can carry it, which is plain ASCII."""
    return "".join(
        chr(it) if it in _PLAIN else f"%{it:02X}"
        for it in name.encode(errors="replace")
    )


def of_metadata(value: str) -> str:
    """The name that the metadata of a call carries.

    Raises:
        ValueError: It stands for no text.
    """
    if "%" not in value:
        return value
    return _ENCODED.sub(
        lambda it: bytes.fromhex(it[1].decode()), value.encode()
    ).decode()


def is_name(text: str, characters_max: int) -> bool:
    """Return whether people and projects can be called so, in any script.

    Args:
        characters_max: Of the name, which has one at least.
    """
    return 0 < len(text) <= characters_max and all(
        it in _SIGNS or unicodedata.category(it)[0] in "LMN" for it in text
    )


def is_title(text: str, characters_max: int) -> bool:
    """Return whether a project can be called so: printable, without a slash.

    Args:
        characters_max: Of the title, which has one at least.
    """
    return (
        0 < len(text) <= characters_max
        and text == text.strip()
        and text.isprintable()
        and "/" not in text
    )


def double_of(name: str, known: Iterable[str]) -> str:
    """The first of some principals that a name reads like without being it; else empty."""
    return next(
        (
            each
            for each in known
            if each and _shape(each) == _shape(name) and not is_same(each, name)
        ),
        "",
    )
