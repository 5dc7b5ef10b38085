"""Checks that a sentence is a statement: no question, condition, placeholder …"""

from __future__ import annotations

import re

from festinger.core.review.prose import OPAQUE, PlainSentence

CONTENT_CHARACTERS_MIN = 3
"""A shorter text is an abbreviation."""

_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|suppos\w*|imagin\w+"
    r"|assum\w+|hypothetically|probably|possibly|wish|hope|propos\w+|consider\w*"
    r"|suggest\w*|thinking (?:of|about)|(?:not|un)\s?sure|i (?:think|guess)|i'd|we'd"
    r"|todo|tbd|fixme|e\.g\.|for (?:example|instance)|what if|let's say|pretend"
    r"|according to|allegedly|supposedly|reportedly|previously|formerly|originally"
    r"|initially|at first|back then|used to|no longer|revert\w*|revers\w+|supersed\w+"
    r"|obsolete|undecided|necessarily)\b",
    re.IGNORECASE,
)
_SUPPOSED_FROM_THE_START = re.compile(
    r"(?:if|unless|whether|would|could|might|maybe|perhaps|suppos\w*|imagine|what if"
    r"|should (?:we|i|it)|todo|tbd|fixme|propos\w+|rejected|superseded)\b",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"(?:t\.?b\.?[da]\.?|to be (?:decided|defined|done|determined)|none|n/?a|nil|pending"
    r"|open|unknown|undecided|todo|nothing|yes|no|ok|see (?:below|above)|\W*)[\s.!]*",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?:\bnot|n['’]t)(?: yet)?(?: been)? (?:decided|agreed|settled|made|taken|known)\b"  # noqa: RUF001
    r"|\bno decision\b|\bundecided\b",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"<[^<>]+>|\{[^{}]*\}|\$\{|\[[^\[\]]*\]$|^(?:\.\.\.|…)")
_ENDS = " \t.;,:!…-–—"  # noqa: RUF001


def is_meant(sentence: PlainSentence) -> bool:
    """Return True if a sentence states something: no question, supposition or past."""
    guarded = sentence.guarded
    if guarded.rstrip(f"{OPAQUE}\"'”’») ").endswith("?"):  # noqa: RUF001
        return False
    return _SUPPOSED.search(guarded) is None and not guarded.endswith(":")


def is_content(text: str) -> bool:
    """Return True if a text that is marked as a decision or the like has a content."""
    if len(text) < CONTENT_CHARACTERS_MIN or text.rstrip("\"'”’» ").endswith("?"):  # noqa: RUF001
        return False
    if _SUPPOSED_FROM_THE_START.match(text) or _PLACEHOLDER.fullmatch(text):
        return False
    return _TEMPLATE.search(text) is None and _OPEN.search(text) is None


def cleaned(text: str) -> str:
    """Return a statement without trailing punctuation, with single blanks."""
    return " ".join(text.split()).rstrip(_ENDS)
