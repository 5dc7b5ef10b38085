"""Who is who: names that are one, and names that only look like it (I5).

A principal is named in letters, digits and `. @ : + - _` of whatever script. Two
spellings of one name, in capitals or in wide letters, are one principal. A name that
merely reads like another, by a Cyrillic letter that looks as a Latin one does, is another
one, whom people cannot tell apart: it is refused beside the first instead of being counted,
as either.
"""

from __future__ import annotations

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
