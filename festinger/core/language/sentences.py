"""Split typed text into sentences that can be quoted on one line each."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from festinger.core.language.prose import prose_lines
from festinger.core.language.terms import WIDE

WORDS_MAX: Final = 40
"""Maximum number of words of a sentence; a longer one is split between clauses."""
WORDS_WANTED: Final = 24
"""Approximate number of words of the pieces of a longer sentence."""
CHARACTERS_MAX: Final = 400
"""Maximum number of characters of a sentence, since words may be long."""

# "- x", "• x", "2. x", "(3) x", "a) x".
_BULLET: Final = re.compile(r"\s*(?:[-*•·–+]|\(?\d{1,2}[.):]|[a-z]\))\s+")
# The set at the beginning finds the next place quickly; what follows asks for its kind.
_STOPS: Final = r".!?…。！？☀-➿\U0001f300-\U0001faff"
_BEHIND_STOP: Final = (
    r"(?<=[.!?…])[\"'”’)\]*_]*\s+(?=\S)"  # "It is. So"; signs may follow
    r"|(?<=[。！？])"  # no space follows
    r"|(?<=[☀-➿\U0001f300-\U0001faff])\s+(?=[A-ZÀ-Þ])"  # an emoji before a capital
)
_END: Final = re.compile(rf"[{_STOPS}](?:{_BEHIND_STOP})")
# Each space of a line may be an end, too, if the line has a bracket.
_END_BRACKETED: Final = re.compile(
    rf"[{_STOPS})\s](?:{_BEHIND_STOP}"
    r"|(?<=\))\)+\s+"  # "so be it :)) Then"
    r"|(?<=\s)\s*(?=\(?\d{1,2}\)\s)"  # "(1) buy (2) sell": a list within a line
    r")"
)
_ABBREVIATION: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|nr|vs|approx|ca|resp|incl|excl|z\.b|d\.h|bzw|usw"
    r"|fig|min|max|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri|sat|sun"
    # Initials, and ordinals at the start of a line.
    r"|[a-z]|\w+str)\.$|^\d{1,2}\.$"
)
_ABBREVIATION_MAX: Final = 10
"""Number of characters before a full stop that are checked for an abbreviation or a date."""
_SHORT_DATE: Final = re.compile(r"\b[0-3]?\d\.[01]?\d\.$")
_BEHIND_DATE: Final = re.compile(r"\d|(?:at|from|until|till|to|now|um)\b")
_CLAUSE: Final = re.compile(
    r"(?<=[;,])\s+"
    r"|\s+(?=(?:and|but|so|because|also|which|then|um|oh|btw|plus|or|while|since|und|aber|et|mais)\b)"
    r"|\s+[-–—]\s+"
)


class ProseSentence(NamedTuple):
    """A sentence of a turn.

    Attributes:
        text: The sentence on one line, at most `WORDS_MAX` words.
        heading: Introduction of the list that contains it; empty for other sentences.
    """

    text: str
    heading: str = ""


@lru_cache(maxsize=32)
def split(text: str) -> tuple[ProseSentence, ...]:
    """Return the sentences of a text in order, without anything other than prose."""
    # Cached, since a prompt is asked with and kept, and asked with again by the next one.
    sentences: list[ProseSentence] = []
    heading = ""
    for line in prose_lines(text):
        if not line:
            # A blank line may separate a heading from its list; code between them ends it.
            heading = heading if line is not None else ""
            continue
        bullet = _BULLET.match(line)
        body = " ".join(line[bullet.end() :].split() if bullet else line.split())
        pieces = _pieces(body)
        sentences += [
            ProseSentence(part, heading if bullet else "")
            for piece in pieces
            for part in _cut(piece)
        ]
        # "The plan:" introduces the items below it, up to the next line that is none.
        if not bullet:
            heading = pieces[-1].rstrip(":").strip() if body.endswith(":") else ""
    return tuple(sentences)


def _pieces(line: str) -> list[str]:
    """Return the sentences of a line."""
    pieces: list[str] = []
    start = 0
    for end in (_END_BRACKETED if ")" in line else _END).finditer(line):
        at = end.start()
        # A sign that ends a sentence belongs to it; a space or a bracket does not.
        head = line[start : at if line[at] == ")" or line[at].isspace() else at + 1]
        # In lower case: ignoring case takes several times as long.
        last = head[-_ABBREVIATION_MAX:].lower()
        if not head.strip() or _ABBREVIATION.search(last):
            continue
        # "On 12.1. at 10", but not "on 3.11. Staging is on 3.12".
        if _SHORT_DATE.search(last) and _BEHIND_DATE.match(line, end.end()):
            continue
        _add(pieces, line[start : end.end()].strip())
        start = end.end()
    if rest := line[start:].strip():
        _add(pieces, rest)
    return pieces


def _add(pieces: list[str], piece: str) -> None:
    """Add a sentence, or append a single word to the last one ("No cod. Ever.")."""
    # Chinese and Japanese sentences have no blanks, and are more than a word.
    is_word = " " not in piece and not WIDE.search(piece)
    if pieces and is_word and len(pieces[-1].split()) < WORDS_WANTED:
        pieces[-1] += f" {piece}"
    else:
        pieces.append(piece)


def _cut(sentence: str) -> list[str]:
    """Return a sentence, or its clauses if it is too long for one line."""
    if len(sentence) <= CHARACTERS_MAX and len(sentence.split()) <= WORDS_MAX:
        return [sentence]
    parts: list[list[str]] = [[]]
    for clause in _CLAUSE.split(sentence):
        words = clause.split()
        if parts[-1] and len(parts[-1]) + len(words) > WORDS_WANTED:
            parts.append([])
        parts[-1] += words
    pieces = []
    for part in parts:
        # A clause may itself be too long, and a word too (an encoded key).
        for start in range(0, len(part), WORDS_MAX):
            piece = " ".join(part[start : start + WORDS_MAX])
            pieces += [
                piece[at : at + CHARACTERS_MAX]
                for at in range(0, len(piece), CHARACTERS_MAX)
            ]
    return pieces
