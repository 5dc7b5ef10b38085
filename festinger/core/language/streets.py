"""Recognise addresses of houses: `Park Street`, `Merelstraat 12`."""

from __future__ import annotations

import re
from typing import Final

_STREET: Final = r"street|road|avenue|lane|square|hill|island|floor|boulevard"
# Of languages that write a name and the word for a street as one.
_ENDING: Final = (
    r"\w{3,}(?:stra(?:ss|ß)e|straat|laan|gasse|platz|plein|gatan|gade|allee)"
)
_PLACED: Final = re.compile(
    rf"(?:.*\s)?(?:{_STREET}|{_ENDING})(?:\s\d{{1,4}}\s?[a-z]?)?", re.IGNORECASE
)


def is_street(name: str) -> bool:
    """Return whether a name is that of a street, with or without a number."""
    return _PLACED.fullmatch(name) is not None
