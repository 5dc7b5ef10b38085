"""Find out when what a sentence says begins to hold, and read it once it does."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from typing import Final

from festinger.core.graph.values.dates import MONTH_FORM, MONTHS, local_time

_NTH: Final = r"(?:st|nd|rd|th)?"
_DATE: Final = (
    r"(?:(?P<which>start|beginning|end) of (?:the )?)?"
    r"(?:next (?P<next>month|year|season|term|semester|quarter)"
    rf"|(?:(?P<day>\d{{1,2}}){_NTH}(?: of)? )?(?P<month>{MONTH_FORM})\b"
    rf"(?: (?P<behind>\d{{1,2}}){_NTH}\b)?,?(?: (?P<year>20\d\d))?)"
)
# "Moved from 14 March to 21 March" is a change, "from May to July" a season.
_NO_RANGE: Final = (
    rf"(?!(?: \d{{1,2}}{_NTH})?,?(?: \d{{4}})? (?:to|until|till|through)\b)"
)
# "From January", "as of 1 March 2027", "starting in May", "effective next term".
_START: Final = re.compile(
    r"(?<!\bnot )\b(?:from|as of|as from|starting|effective|beginning)(?: in| on)?(?: the)? "
    rf"{_DATE}{_NO_RANGE}(?: on(?:wards?)?\b)?",
    re.IGNORECASE,
)
# "The rent goes up to 1240 in January": only with a verb of what is to come.
_MOVE: Final = re.compile(
    rf"\b(?:in|on)(?: the)? {_DATE}{_NO_RANGE}(?!\w)", re.IGNORECASE
)
_COMING: Final = re.compile(
    r"\b(?:will|(?:goes|go) (?:up|down|to)|(?:moves?|changes?|switch(?:es)?|rises?|drops?) (?:\w+ ){0,3}?to"
    r"|(?:takes?|hands?) over|(?:is|are|'re|'s) (?:moving|switching|changing|taking over|going (?:up|down)))\b",
    re.IGNORECASE,
)
_AHEAD_MAX: Final = 6
"""Maximum number of months ahead: said in May, "from March" is two months ago."""
_BEGUN: Final = "from now on"
# "The rent stays as it is", "the move is off", "no increase after all", "we keep Teams".
_CALLED_OFF: Final = re.compile(
    r"\b(?:not|no|never|none|nothing|stays?|staying|remains?|keep(?:s|ing)?|kept|after all|called off"
    r"|(?:is|are|.s) off|cancel\w*|postpon\w*|delay\w*|scrap\w*|forget|instead|fell through|wrong)\b|n['’]t\b",
    re.IGNORECASE,
)
# What was to come, as it is said once it holds.
_DONE: Final = tuple(
    (re.compile(form, re.IGNORECASE), done)
    for form, done in (
        (r"\b(we|they|i|you)(?: will|['’]ll) be\b", r"\1 are"),
        (
            r"\b(we|they|i|you)(?: will|['’]ll)(?= (?:have|use|run|keep|work|live|meet|pay)\b)",
            r"\1",
        ),
        (r"\b(?:will|(?:is|are) going to) be\b", "is"),
        (r"\b(?:will|(?:is|are) going to) have\b", "has"),
        (
            r"\b(?:will |(?:is|are|'re|'s) )?(?:go(?:es|ing)? to|mov(?:es?|ing))(?= |$)",
            "moved",
        ),
        (r"\b(?:will |(?:is|are|'re|'s) )?switch(?:es|ing)?\b", "switched"),
        (r"\b(?:will |(?:is|are|'re|'s) )?chang(?:es?|ing)\b", "changed"),
        (
            r"\b(?:will |(?:is|are|'s) )?(?:go(?:es|ing)?|ris(?:es?|ing)|drops?)(?= (?:up |down )?to\b)",
            "went",
        ),
        (r"\b(?:will |(?:is|are|'s) )?(?:takes?|taking) over\b", "took over"),
        (r"\b(?:will )?hands? over\b", "handed over"),
        (
            r"\bwill ((?!not\b|never\b|stay\b|remain\b|probably\b|likely\b)[a-z]+)\b",
            r"\1s",
        ),
    )
)


def start_of(text: str, said: float) -> float | None:
    """Return when what a sentence says begins to hold; None if it holds already.

    Weekdays and "next week" count as now: nobody says it again once it holds.

    Args:
        said: Time at which it was said, in seconds since the epoch.

    Returns:
        Seconds since the epoch, the begin of a local day; infinity for a day that is not known,
        such as the begin of "next term".
    """
    today = local_time(said).date()
    for match in _starts(text):
        start = _day_of(match, today)
        if start is None:
            return math.inf
        if start > today:
            return datetime(*start.timetuple()[:3]).timestamp()
    return None


def may_call_off(text: str) -> bool:
    """Return whether a sentence may say that what was to come does not."""
    return _CALLED_OFF.search(text) is not None


def as_begun(text: str) -> str:
    """Return a sentence about a later time as it would be said once that has come.

    "The rent will be 1240 euros from January" becomes "the rent is 1240 euros from now
    on".
    """
    for match in reversed(_starts(text)):
        text = f"{text[: match.start()]}{_BEGUN}{text[match.end() :]}"
    for form, done in _DONE:
        text = form.sub(done, text)
    return text


def _starts(text: str) -> list[re.Match[str]]:
    """Return the places in a sentence that say when something begins."""
    return [
        *_START.finditer(text),
        *(_MOVE.finditer(text) if _COMING.search(text) else ()),
    ]


def _day_of(match: re.Match[str], today: date) -> date | None:
    """Return the day that words mean; None if nobody could know it."""
    first = today.replace(day=1)
    if match["next"] == "year":
        start = date(today.year + 1, 1, 1)
    elif match["next"] == "month":
        start = _next(first)
    elif match["next"]:
        return None
    else:
        month = MONTHS.index(match["month"][:3].title()) + 1
        ahead = (month - today.month) % 12
        is_past = not match["year"] and ahead > _AHEAD_MAX
        year = int(match["year"] or today.year + (month < today.month) - is_past)
        try:
            start = date(year, month, int(match["day"] or match["behind"] or 1))
        except ValueError:
            return None
    # At the end of a month the next one begins.
    return _next(start) if match["which"] == "end" else start


def _next(first: date) -> date:
    """Return the first day of the month after a day."""
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)
