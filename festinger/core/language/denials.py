"""Values that a sentence says are no more: `friday and not thursday`, `8 instead of 5`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# "Not 46", "instead of 5 minutes", "isn't with Holt any more", "from 9:30 to 10".
_WORD: Final = r"[^\W_](?:[\w’'./:%€$£-]|,(?=\d))*"
_BETWEEN: Final = (
    r"(?:(?:the|a|an|my|our|his|her|their|at|in|on|with|by|to|for|till|until)\s+)*"
)
_DENIED: Final = re.compile(
    rf"\b(?:not|no longer|instead of|rather than)\s+{_BETWEEN}(?P<not>[$€£]?{_WORD})"
    rf"|n['’]t\s+{_BETWEEN}(?P<more>[$€£]?{_WORD})(?=[^,;.]{{0,40}}\b(?:any ?more|any longer)\b)"
    rf"|\bfrom\s+(?P<from>[$€£]?{_WORD})(?=\s(?:\w+\s)?to\s[$€£]?[\dA-Z])"
)


@lru_cache(maxsize=2_000)
def denied_values(text: str) -> tuple[str, ...]:
    """Return the numbers and names that a sentence denies, one word of each."""
    found = (
        (match["not"] or match["more"] or match["from"]).rstrip(".:'’/-")
        for match in _DENIED.finditer(text)
    )
    # "Not yet", "not sure": only what is written like a value can be one.
    return tuple(it for it in found if any(map(str.isdigit, it)) or it[:1].isupper())


def has_value(text: str, value: str) -> bool:
    """Return whether a text has a value as a word of its own, and not within another."""
    return (
        re.search(
            rf"(?<![\w.,:$€£-]){re.escape(value)}(?![\w-]|[.,:]\d)", text, re.IGNORECASE
        )
        is not None
    )
