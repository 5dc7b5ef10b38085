"""Detect from whom a turn is to be kept, or to whom it is limited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from festinger.core.system.wordsets import word_set


class LineAudience(NamedTuple):
    """People who may be told of what was said in a turn.

    Attributes:
        only: Names of those who may, besides the speaker; in lower case.
        without: Names of those who may not; in lower case.
    """

    is_limited: bool = False
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()


EVERYBODY: Final = LineAudience()

# The first may be a common word for a person ("nan", "her"); the others are names.
_FIRST: Final = r"(?i:[^\W\d_][\w'’-]*)"
_NEXT: Final = r"(?:(?:\s*,\s*|\s+(?i:and|or)\s+|\s*&\s*|\s*/\s*)[A-ZÀ-Þ][\w'’-]*)*"
_NAMES: Final = rf"(?P<names>{_FIRST}{_NEXT})"
# All names but the first need a capital, hence `(?i:…)` around the other parts.
# "Don't tell Nan", "never mention it to the twins".
_WITHHELD: Final = re.compile(
    r"\b(?i:do not|don.?t|never|must not|mustn.?t|not to)\s+(?i:you\s+)?(?i:ever\s+)?(?:"
    r"(?i:tell|let|inform)\s+|(?i:say|mention|show|breathe)\s+"
    r"(?i:(?:it|this|that|any of it|any of this|a word|anything)\s+)?(?i:about (?:it|this)\s+)?(?i:to)\s+)"
    rf"(?i:(?:the|my|our)\s+)?{_NAMES}"
)
# "Keep it from Sheila", "keep Tom out of it", "Rob must not know".
_KEPT_FROM: Final = re.compile(
    r"\b(?i:keep)\s+(?i:it|this|that|all this)\s+(?i:(?:away|secret|a secret|hidden|quiet)\s+)?(?i:from)\s+"
    rf"(?i:(?:the|my|our)\s+)?{_NAMES}"
    rf"|\b(?i:keep)\s+(?P<kept>{_FIRST}{_NEXT})\s+(?i:out of (?:it|this))\b"
    rf"|(?P<left_out>[A-ZÀ-Þ][\w'’-]*)\s+[^.!?\n]{{0,40}}?\b(?i:is not|isn.?t|must not|mustn.?t|may not|shouldn.?t|should not|must never)\s+"
    r"(?i:to\s+)?(?i:be told|know|learn|find out|hear)\b"
)
# "Between us", "in confidence", "not a word to Ann": who may hear follows, if anybody.
_ONLY: Final = re.compile(
    r"\b(?:between (?:us|you and me|ourselves|the two of us)|in confidence|confidential(?:ly)?|strictly private"
    r"|off the record|our (?:little )?secret|keep (?:it|this|that) (?:to yourself|secret|quiet|under wraps|confidential|private|between)"
    r"|not a word (?:to|about)|tell nobody|tell no one|nobody (?:else )?(?:is to know|must know|may know|should know)|for your eyes only"
    r"|only for (?:us|you|me|the \w+ of us)|mum.?s the word|under embargo)\b(?P<rest>[^.!?\n]*)",
    re.IGNORECASE,
)
# The patterns are slow: a text of which these do not match has no match of them either.
_WITHHOLDING: Final = (
    (
        _WITHHELD,
        re.compile(
            r"n(?:ot to|ot|.?t|ever)\s+(?:you\s+)?(?:ever\s+)?"
            r"(?:tell|let|inform|say|mention|show|breathe)"
        ),
    ),
    (
        _KEPT_FROM,
        re.compile(
            r"keep\s+(?:it|this|that|all this)\s|out of (?:it|this)"
            r"|n(?:ot|.?t|ever)\s+(?:to\s+)?(?:be told|know|learn|find out|hear)"
        ),
    ),
)
_ONLY_HINTS: Final = (
    "between us", "between you and me", "between ourselves", "between the two",
    "confiden", "strictly private", "off the record", "our secret", "little secret",
    "keep it ", "keep this ", "keep that ", "not a word", "tell no", "nobody else ",
    "nobody is to ", "nobody must ", "nobody may ", "nobody should ", "your eyes only",
    "only for us", "only for you", "only for me", "only for the ", "s the word",
    "embargo",
)  # fmt: skip
"""Parts of each match of `_ONLY`."""
_INSIDER: Final = re.compile(r"[A-ZÀ-Þ][\w'’-]+")  # "confidential, only Ben knows"

# Outsiders: keeping something from them does not withhold it from colleagues.
_OUTSIDERS: Final = word_set("""
    client clients customer customers press public vendor vendors supplier suppliers
    competitor competitors user users guests guest visitors readers partners partner
    investors them anyone anybody everyone everybody people others it this that about
    again me you us to
""")
_IGNORED: Final = word_set("""
    and or the a my our me i us it this that them please but so
""")


def audience_of(turn: str) -> LineAudience:
    """Return the audience of a turn.

    Args:
        turn: Text of the whole turn: "don't tell Nan" may precede or follow its topic.
    """
    small = turn.lower()
    without: set[str] = set()
    for pattern, hint in _WITHHOLDING:
        if not hint.search(small):
            continue
        for match in pattern.finditer(turn):
            groups = [it for it in match.groupdict().values() if it]
            # "Don't tell the press" is no secret among colleagues.
            without |= _split(" and ".join(groups)) - _OUTSIDERS
    only: set[str] = set()
    limited = False
    for match in _ONLY.finditer(turn) if any(it in small for it in _ONLY_HINTS) else ():
        limited = True
        only |= {it.casefold() for it in _INSIDER.findall(match["rest"])} - _IGNORED
    if not (limited or without):
        return EVERYBODY
    return LineAudience(True, frozenset(only - without), frozenset(without))


def may_hear(
    audience: LineAudience, asker: str, speaker: str, known: Iterable[str]
) -> bool:
    """Return whether a person belongs to an audience.

    Args:
        asker: Principal whose prompt it is; case-insensitive.
        speaker: Name of the speaker; case-insensitive.
        known: Names of all known speakers. A withheld name that is not among them
            ("Nan", "her") could refer to any of them.
    """
    if not audience.is_limited or asker.casefold() == speaker.casefold():
        return True
    # Accounts have longer names than people are called by: `ben.smith` is Ben.
    asking = _parts(asker)
    if asking & audience.without:
        return False
    if asking & audience.only:
        return True
    # "Between us": for nobody but the speaker and those who are named.
    if audience.only or not audience.without:
        return False
    # It is withheld only from people who are known by name: all others may be told.
    everybody = {part for name in known for part in _parts(name)}
    return audience.without <= everybody


def _split(names: str) -> frozenset[str]:
    return frozenset(
        part
        for name in re.split(r"\s*,\s*|\s+and\s+|\s+or\s+|\s*&\s*|\s*/\s*", names)
        if (part := name.casefold().strip("'’.-").removesuffix("'s"))
        and part not in _IGNORED
    )


def _parts(name: str) -> set[str]:
    """Return a name and its parts: `Anna-Lena` is also called Anna."""
    small = name.casefold()
    return {small, *re.split(r"[\s._@+-]", small)} - {""}
