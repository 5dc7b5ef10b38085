"""Sentence boundaries of a passage."""

from __future__ import annotations

import re
from collections.abc import Iterator

# The lookbehind keeps a long row of dots from being scanned once per dot.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_`]*+(?=\s|$)|[。！？]")  # noqa: RUF001
_LAST_WORD = re.compile(r"[^\s(\[]+$")
_WORD_CHARACTERS_MAX = 24
_ABBREVIATIONS = frozenset(
    ["approx.", "ca.", "cf.", "e.g.", "eg.", "i.e.", "ie.", "incl.", "resp.", "vs."]
)
_TITLES = frozenset(
    ["Dr.", "Fig.", "Inc.", "Mr.", "Mrs.", "Ms.", "No.", "Prof.", "St."]
)


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[range]:
    """Yield the sentences in a part of a text as ranges, without outer blanks.

    A stop ends a sentence unless the word before it is an abbreviation or an initial.
    """
    end = len(text) if end is None else end
    first = start
    for match in _END.finditer(text, start, end):
        if match.start() < first or not _ends(text, match, end):
            continue
        if found := _trimmed(text, first, match.end()):
            yield found
        first = match.end()
    if found := _trimmed(text, first, end):
        yield found


def _ends(text: str, stop: re.Match[str], end: int) -> bool:
    if stop[0][0] in "!?。！？":  # noqa: RUF001
        return True
    if (len(stop[0]) > 1 and stop[0][1] == ".") or stop[0][0] == "…":
        # "We tried … and failed" is one sentence: it continues in lower case.
        following = text[stop.end() : stop.end() + 40].lstrip()
        return not following[:1].islower()
    near = text[max(0, stop.start() - _WORD_CHARACTERS_MAX) : stop.start() + 1]
    word = _LAST_WORD.search(near)
    if word is None or stop.end() == end:
        return True
    bare = word[0].lstrip("\"'“*_`")
    initial = len(bare) == 2 and bare[0].isupper()
    # What follows is not looked at: some names ("gnommoweb") begin in lower case.
    return not initial and bare not in _TITLES and bare.lower() not in _ABBREVIATIONS


def _trimmed(text: str, start: int, end: int) -> range | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return range(start, end) if start < end else None
