"""Split what people type into sentences that can be told on a line of their own."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from festinger.core.language.prose import prose_lines

WORDS_MAX: Final = 40
"""Words of a sentence; a longer one is cut where a clause ends."""
WORDS_WANTED: Final = 24
"""Words of the pieces that it is cut into, roughly."""
CHARACTERS_MAX: Final = 400
"""Characters of a sentence: a word may be long."""

_BULLET: Final = re.compile(r"\s*(?:[-*•·–+]|\(?\d{1,2}[.):]|[a-z]\))\s+")
_END: Final = re.compile(
    r"(?<=[.!?…])[\"'”’)\]*_]*\s+(?=\S)"
    r"|(?<=[。！？])"
    r"|\)\)+\s+|(?<=[☀-➿\U0001f300-\U0001faff])\s+(?=[A-ZÀ-Þ])"
    r"|\s+(?=\(?\d{1,2}\)\s)"
)
_ABBREVIATION: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|nr|vs|approx|ca|resp|incl|excl|z\.b|d\.h|bzw|usw"
    r"|fig|min|max|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri|sat|sun"
    r"|[A-Za-z])\.$|^\d{1,2}\.$",
    re.IGNORECASE,
)
_ABBREVIATION_MAX: Final = 10
"""Characters of one, and of what stands before it."""
_CLAUSE: Final = re.compile(
    r"(?<=[;,])\s+"
    r"|\s+(?=(?:and|but|so|because|also|which|then|um|oh|btw|plus|or|while|since|und|aber|et|mais)\b)"
    r"|\s+[-–—]\s+"
)


class ProseSentence(NamedTuple):
    """A sentence of a turn.

    Attributes:
        text: On one line, at most `WORDS_MAX` words.
        heading: What introduces the list that it is an item of; empty elsewhere.
    """

    text: str
    heading: str = ""


@lru_cache(maxsize=4)
def split(text: str) -> tuple[ProseSentence, ...]:
    """Return the sentences of a text in their order; what is no prose is left out.

    One prompt is asked about and kept; the last few texts are therefore remembered.
    """
    sentences: list[ProseSentence] = []
    heading = ""
    for line in prose_lines(text):
        if not line:
            # A blank line may stand between a heading and its list.
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
        if not bullet:
            heading = pieces[-1].rstrip(":").strip() if body.endswith(":") else ""
    return tuple(sentences)


def _pieces(line: str) -> list[str]:
    """Return the sentences of a line."""
    pieces: list[str] = []
    start = 0
    for end in _END.finditer(line):
        head = line[start : end.start()]
        if not head.strip() or _ABBREVIATION.search(head[-_ABBREVIATION_MAX:]):
            continue
        _add(pieces, (head + end.group().rstrip()).strip())
        start = end.end()
    if rest := line[start:].strip():
        _add(pieces, rest)
    return pieces


def _add(pieces: list[str], piece: str) -> None:
    """Add a sentence; a single word belongs to the one before: "No cod. Ever." """
    if pieces and " " not in piece and len(pieces[-1].split()) < WORDS_WANTED:
        pieces[-1] += f" {piece}"
    else:
        pieces.append(piece)


def _cut(sentence: str) -> list[str]:
    """Return a sentence, or its clauses if it is too long for a line."""
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
        for start in range(0, len(part), WORDS_MAX):
            piece = " ".join(part[start : start + WORDS_MAX])
            pieces += [
                piece[at : at + CHARACTERS_MAX]
                for at in range(0, len(piece), CHARACTERS_MAX)
            ]
    return pieces
