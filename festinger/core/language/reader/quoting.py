"""Locate quotations in a text, tolerating a model's changes of spelling."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from festinger.core.language.sentences import split

QUOTE_CHARACTERS_MAX: Final = 400
"""Maximum number of characters of a quotation that are kept."""

# Models exchange them for others or leave them out.
_QUOTE_MARKS: Final = frozenset("\"'`´‘’‚‛“”„‟«»‹›")
_EDGES: Final = " .,;:!?…-–—()[]*_"


class FoundQuote(NamedTuple):
    """A quotation located in a text.

    Attributes:
        around: Whole sentences that contain it.
    """

    words: str
    around: str


def find_quote(quote: str, text: str) -> FoundQuote | None:
    """Return a quotation located in a text; None if the text does not contain it."""
    # White space, case, quotation marks and punctuation at its ends do not count.
    wanted = _folded(quote)[0].strip(_EDGES)
    if not wanted:
        return None
    folded, places = _folded(text)
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        # Whole words only: "prod" is not quoted from "product".
        if _is_edge(folded, at) and _is_edge(folded, end):
            start, stop = places[at], places[end - 1] + 1
            words = text[start:stop]
            return FoundQuote(words[:QUOTE_CHARACTERS_MAX], _around(text, start, stop))
        at = folded.find(wanted, at + 1)
    return None


@lru_cache(maxsize=128)
def _folded(text: str) -> tuple[str, list[int]]:
    """Return a normalised text, and the original offset of each character."""
    characters: list[str] = []
    places: list[int] = []
    blank = True
    for at, character in enumerate(text):
        if character in _QUOTE_MARKS:
            continue
        if character.isspace():
            if not blank:
                characters.append(" ")
                places.append(at)
            blank = True
            continue
        blank = False
        # A ligature or a capital may fold to several letters.
        for letter in unicodedata.normalize("NFKC", character).casefold():
            characters.append(letter)
            places.append(at)
    return "".join(characters), places


def _is_edge(text: str, at: int) -> bool:
    """Return whether a word may begin or end at an offset."""
    inside = 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()
    return not inside


def _around(text: str, start: int, stop: int) -> str:
    """Return the sentences that contain a span; its own words if there are none."""
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", stop)
    # Sentences do not go beyond lines.
    block = text[begin : len(text) if end < 0 else end]
    words = " ".join(text[start:stop].split())
    position = 0
    found: list[str] = []
    # `split` returns sentences with single spaces, so that both are compared in that form.
    whole = " ".join(block.split())
    at = whole.find(words)
    for sentence in split(block):
        place = whole.find(sentence.text, position)
        if place < 0:
            continue
        position = place + len(sentence.text)
        if place < at + len(words) and at < position:
            found.append(sentence.text)
    return " ".join(found) or words
