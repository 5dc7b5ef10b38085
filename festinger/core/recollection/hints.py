"""Select the unknown names that are worth asking an agent about (D3)."""

from __future__ import annotations

import re
from functools import lru_cache

from festinger.core.graph.tokens import is_renderable

# `v1.2`, `3.11-slim`
_VERSION = re.compile(r"v?\d[\w.-]*")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
# A commit's hash; the digit lets words such as "defaced" pass.
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{7,}")
_FILE = re.compile(
    r".+\.(?:py|pyi|md|txt|json|ya?ml|toml|ini|cfg|csv|log|sh|c|h|cpp|hpp|rs|go|java|ts"
    r"|tsx|jsx|html|css|sql|xml|pdf|png|jpe?g|gif|svg|zip|gz|tar|lock|ipynb|proto)"
)


@lru_cache(maxsize=65_536)
def is_askable(token: str) -> bool:
    """Return whether a token is a name rather than an identifier."""
    digits = sum(character.isdigit() for character in token)
    return not (
        # Ticket numbers and the like, of which more than half are digits: `abc-12345`.
        digits * 2 > len(token)
        # It could not be written into a block either (E4).
        or not is_renderable(token)
        or _UUID.fullmatch(token)
        or _HEX.fullmatch(token)
        or _VERSION.fullmatch(token)
        or _FILE.fullmatch(token)
    )
