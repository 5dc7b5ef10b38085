"""Recognise places: `room 210`, `Park Street`, `Merelstraat 12`."""

from __future__ import annotations

import re
from typing import Final

from festinger.core.system.wordsets import word_set

# First words, with or without a number behind them.
_ROOMS: Final = word_set("""
    room building hall floor house flat shelf drawer locker cupboard box office lab tab
    gate platform pier dock bay aisle terminal ward bed pitch court field level studio table desk seat folder channel
""")
_STREET: Final = r"street|road|avenue|lane|square|hill|island|floor|boulevard"
# Of languages that write a name and the word for a street as one.
_ENDING: Final = (
    r"\w{3,}(?:stra(?:ss|ß)e|straat|laan|gasse|platz|plein|gatan|gade|allee)"
)
_IN_STREET: Final = re.compile(
    rf"(?:.*\s)?(?:{_STREET}|{_ENDING})(?:\s\d{{1,4}}\s?[a-z]?)?", re.IGNORECASE
)


def is_street(name: str) -> bool:
    """Return whether a name ends as those of streets do, with or without a number."""
    return _IN_STREET.fullmatch(name) is not None


def is_place(name: str) -> bool:
    """Return whether a name is that of a place, on which nothing runs."""
    return name.lower().split()[0] in _ROOMS or is_street(name)
