"""Find out whether a sentence is about a time that has not come."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from festinger.core.graph.values.dates import MONTH_FORM, MONTHS

# "From January", "as of 1 March 2027", "starting in May", "effective next term".
_START: Final = re.compile(
    r"\b(?:from|as of|as from|starting|effective|beginning)(?: in| on)?(?: the)?(?: (?:start|beginning|end) of)?"
    r" (?:(?P<next>next (?:month|year|season|term|semester|quarter))"
    rf"|(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?(?P<month>{MONTH_FORM})\b(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?,?(?: (?P<year>20\d\d))?)"
    # "Moved from 14 March to 21 March" is a change, "from May to July" a season.
    r"(?!(?: \d{1,2}(?:st|nd|rd|th)?)?,?(?: \d{4})? (?:to|until|till|through)\b)",
    re.IGNORECASE,
)
_AHEAD_MAX: Final = 6
"""Maximum number of months ahead: said in May, "from March" is two months ago."""


def starts_later(text: str, said: float) -> bool:
    """Return whether a sentence says what holds from a later month on.

    Weekdays and "next week" count as now: nobody says it again once it holds.

    Args:
        said: Time at which it was said, in seconds since the epoch.
    """
    today = datetime.fromtimestamp(said, UTC)
    for match in _START.finditer(text):
        if match["next"]:
            return True
        month = MONTHS.index(match["month"][:3].title()) + 1
        if match["year"]:
            if (int(match["year"]), month) > (today.year, today.month):
                return True
        elif 0 < (month - today.month) % 12 <= _AHEAD_MAX:
            return True
    return False
