"""Find the words of a quotation where they stand, however a model spelt them."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from festinger.core.language.sentences import split

QUOTE_CHARACTERS_MAX: Final = 400
"""Characters of a quotation that are kept."""

_QUOTE_MARKS: Final = frozenset("\"'`´‘’‚‛“”„‟«»‹›")
_EDGES: Final = " .,;:!?…-–—()[]*_"


class FoundQuote(NamedTuple):
    """A quotation where it stands in a text.

    Attributes:
        words: As they were typed.
        around: The whole sentences that it stands in.
    """

    words: str
    around: str


def find_quote(quote: str, text: str) -> FoundQuote | None:
    """Return a quotation as it stands in a text; None if it does not.

    White space, capitals, quotation marks and the punctuation at its ends do not count;
    it begins and ends with whole words.
    """
    wanted = _folded(quote)[0].strip(_EDGES)
    if not wanted:
        return None
    folded, places = _folded(text)
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _is_edge(folded, at) and _is_edge(folded, end):
            start, stop = places[at], places[end - 1] + 1
            words = text[start:stop]
            return FoundQuote(words[:QUOTE_CHARACTERS_MAX], _around(text, start, stop))
        at = folded.find(wanted, at + 1)
    return None


@lru_cache(maxsize=128)
def _folded(text: str) -> tuple[str, list[int]]:
    """Return a text without what does not count, and where each character stood."""
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
        # A ligature or a capital may be several letters once it is folded.
        for letter in unicodedata.normalize("NFKC", character).casefold():
            characters.append(letter)
            places.append(at)
    return "".join(characters), places


def _is_edge(text: str, at: int) -> bool:
    """Return whether a word may begin or end at a place."""
    inside = 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()
    return not inside


def _around(text: str, start: int, stop: int) -> str:
    """Return the sentences that some words stand in; the words alone if they are none."""
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", stop)
    block = text[begin : len(text) if end < 0 else end]
    words = " ".join(text[start:stop].split())
    position = 0
    found: list[str] = []
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
