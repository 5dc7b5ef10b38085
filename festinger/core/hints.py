"""Which unknown words are worth asking an agent about (D3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from festinger import _fast
from festinger.core.tokens import is_renderable

LOOKED_FOR_MAX = 50
"""Unknown words of a prompt that are looked for in its text, the important first."""

_VERSION = re.compile(r"v?\d[\w.-]*")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{7,}")
_FILE = re.compile(
    r".+\.(?:py|pyi|md|txt|json|ya?ml|toml|ini|cfg|csv|log|sh|c|h|cpp|hpp|rs|go|java|ts"
    r"|tsx|jsx|html|css|sql|xml|pdf|png|jpe?g|gif|svg|zip|gz|tar|lock|ipynb|proto)"
)


def may_be_asked(scans: Sequence[_fast.Scan], tokens: Iterable[str]) -> Iterator[str]:
    """The tokens, in their order, that stand somewhere in the texts as plain words.

    Left out are identifiers, and words that only stand in a path, a URL, an address
    or a variable. The texts are looked at as far as the caller takes tokens, and for
    so many tokens only that the work stays linear.
    """
    if not scans:
        return
    for token in islice(filter(is_askable, tokens), LOOKED_FOR_MAX):
        for scan in scans:
            if scan.stands_plainly(token):
                yield token
                break


@lru_cache(maxsize=65_536)
def is_askable(token: str) -> bool:
    """Whether a token is a name rather than an identifier.

    UUIDs, hashes, version numbers and tokens of more than half digits are not, nor
    what may not stand in a prompt (E4).
    """
    digits = sum(character.isdigit() for character in token)
    return not (
        digits * 2 > len(token)
        or not is_renderable(token)
        or _UUID.fullmatch(token)
        or _HEX.fullmatch(token)
        or _VERSION.fullmatch(token)
        or _FILE.fullmatch(token)
    )
