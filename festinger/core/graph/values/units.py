"""Units, and rates such as a price per month."""

from __future__ import annotations

import re
from typing import Final

from festinger.core.graph.seeddata import UNITS

RATE: Final = re.compile(
    r"(?P<what>.*?)\s*(?:/\s*|\b(?:per|a|an|each|every)\s+)(?P<unit>[^\W\d_]+)"
)
"""A rate: `MB/s`, `EUR a month`."""


def known_unit(text: str) -> str | None:
    """Return the canonical spelling of a unit; None if it is no unit."""
    # "kilo watt" and "kilo-watt"; one letter keeps its case, as "M" and "m" differ.
    name = re.sub(r"[\s-]+", "_", text)
    return UNITS.get(name) or UNITS.get(name.lower() if len(name) > 1 else name)


def period(word: str) -> str:
    """Return `/month` for a month; empty if the word is no unit."""
    known = known_unit(word)
    return f"/{known}" if known else ""
