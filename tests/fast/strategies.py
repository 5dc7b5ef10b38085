"""Texts that are likely to break a tokeniser, a scanner of cues or a reader of facts."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable

from hypothesis import strategies as st

#: Characters whose lower case takes another number of bytes: İ, Ⱥ, ẞ, the Kelvin sign …
GROWING = tuple(
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if not character.isascii()
    and unicodedata.category(character) != "Cs"
    and len(character.lower().encode()) != len(character.encode())
)

#: Format characters: they show nothing, or turn the reading order.
INVISIBLE = tuple(
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) == "Cf"
)

#: Pieces whose combinations the token rules turn on.
PIECES = (
    "Glitch", "University", "gnommoweb", "the", "The", "Please", "Is", "ISA", "runs",
    "is", "don't", "Don’t", "A", "I", "B", "Ab", "c", "C", "c++", "C++", "c#", "F#", "_c",
    "-C", "+", "++", "#", "# ", "## ", "_", "'", "’", "'s", "’S", "s", "S", ".", "-", "--",
    " ", "  ", "\n", "\r\n", "\n\n", "\r", "\t", "\u00a0", "\u2028", "\u200d", "**", "—",
    "(", "1.", "é", "e\u0301", "É", "İ", "ΑΣ", "Σ", "ß", "ẞ", "Ⱥ", "K", "ǅ", "J\u030c",
    "Ⓐ", "Ⅷ", "²", "٣", "न", "म", "\u094d", "\u0947", "\u09c7\u09be", "ก", "한", "\u1112",
    "\u1161", "東", "京", "〇", "ー", "か", "か\u3099", "ｶ", "\ufe0f", "\U000e0100", "\u0301",
    "\u0316", "\u0301\u0316" * 20, "😀", "\x00", "\ud800", "\udfff", "3.14", "123",
    "0123456789abcdef", "aB3dE5fG7hI9jK1lM3nO5pQ7", "x" * 33, "É" * 33, "Y" * 62,
    "A50E8400-E29B-41D4-A716-446655440000", "Deadbeef01234567", "__init__", "`", "_Ab",
    "\u200b", "\u200e", "\u202e", "\u2066", "\u2069", "\ufeff", "\u00ad", "\u061c",
    "\u0345", "\u1e9b\u0323", "ﬁ", "\U00010400", "𝓧", "\U0001f130", "x" * 63, "é" * 31,
    *GROWING,
)  # fmt: skip

_ANYTHING = st.characters(codec=None)
_PIECE = st.sampled_from(PIECES)

_MIXED = st.lists(st.one_of(_PIECE, _ANYTHING), max_size=40).map("".join)

#: One thing over and over, and something before and behind it.
RUNS = st.builds(
    lambda before, piece, times, behind: before + piece * times + behind,
    st.one_of(st.just(""), _PIECE),
    st.lists(_PIECE, min_size=1, max_size=3).map("".join),
    st.integers(2, 150),
    _MIXED,
)

#: What follows begins a few bytes before or behind the end of a block of 64.
AT_A_BOUNDARY = st.builds(
    lambda length, filler, gap, text: filler * length + gap + text,
    st.one_of(st.integers(24, 33), st.integers(56, 70), st.integers(120, 132)),
    st.sampled_from(["x", "X", "é", " ", "\n", ".", "_"]),
    st.sampled_from(["", " ", "\n\n", "'", "."]),
    _MIXED,
)

TEXTS = st.one_of(
    st.lists(_PIECE, max_size=40).map("".join),
    _MIXED,
    st.text(_ANYTHING, max_size=200),
    RUNS,
    AT_A_BOUNDARY,
)

_STATING = (
    "gnommoweb dobby Glitch University docker repo service state Michigan a an the is "
    "are isn't isa ISA ispart ISPART not never no longer of in context and or but that "
    "which if may part kind type instance member belongs runs to on by hosted owned "
    "deployed contained It This also now very small e.g. called Note Maybe as"
)

#: Words of statements, and the marks between them.
PROSE_PIECES = (
    *_STATING.split(), " is a ", " is a repo", " runs on ", ". ", ", ", "? ", "!", ": ",
    "; ", " - ", " — ", "(", ")", '"', "'", "`", "“", "”", "«", "»", "```", "~~~", "*",
    "**", "_", "\n", "\r\n", "\n\n", "\n- ", "\n> ", "\n# ", "\n1. ", "| ", "[", "](",
    "![", "<", ">", "<code>", "</code>", "<!--", "-->", "://", "<recollection>",
    "</recollection>", "gutask iknowthat ", "'s", "/", "\x00", "\x01", "\u2028",
)  # fmt: skip

PROSE = st.builds(
    lambda glue, parts: glue.join(parts),
    st.sampled_from([" ", "", "\u00a0"]),
    st.lists(
        st.one_of(st.sampled_from(PROSE_PIECES), st.sampled_from(PROSE_PIECES), _PIECE),
        max_size=40,
    ),
)

_FACT_PIECES = (
    " -isa ", " -ispart ", " -not ", " in context of ", " -ISA ", "-isa", "<concept>",
    "gnommoweb", "repo", "Glitch University", "glitch_university", "the", "web service",
    "42", "cafe\u0301", "c++", "node.js", "<", ">", "\n", "\t", "_", "'", "東京", "is a",
)  # fmt: skip

FACTS = st.one_of(
    st.lists(st.sampled_from(_FACT_PIECES), max_size=12).map("".join),
    st.builds(
        "{} -{} {} in context of {}".format,
        _MIXED,
        st.sampled_from(["isa", "ispart", "not -isa"]),
        _MIXED,
        _MIXED,
    ),
)


def repeated(piece: str) -> Callable[[int], str]:
    """Return a text of about so many characters that says one thing over and over."""
    return lambda size: piece * (size // len(piece) + 1)


#: Texts of about so many characters that would make a careless reader quadratic.
ADVERSARIAL: dict[str, Callable[[int], str]] = {
    **{
        name: repeated(piece)
        for name, piece in {
            "one letter": "a",
            "one capital": "A",
            "one digit": "7",
            "one blank": " ",
            "one newline": "\n",
            "one underscore": "_",
            "one mark": "\u0301",
            "one surrogate": "\ud800",
            "one NUL": "\x00",
            "one emoji": "😀",
            "alternating case": "aA",
            "capital words": "Ab ",
            "capital words by lines": "Ab\n",
            "capital words by headings": "# Ab\n",
            "capitals and possessives": "Ab's ",
            "wide capital words": "Éa ",
            "sigmas": "Σ",
            "growing characters": "İȺẞ",
            "unordered marks": "\u0301\u0316",
            "words with unordered marks": "a\u0301\u0316\u0323 ",
            "dots": ".",
            "hyphens": "-",
            "apostrophes": "'",
            "typographic apostrophes": "’",
            "dotted words": "a.",
            "hyphenated words": "a-",
            "apostrophised words": "a'",
            "possessives": "'s",
            "typographic possessives": "’s",
            "endings": "c++_",
            "endings and possessives": "c#'s",
            "hashes": "deadbeef0-",
            "CJK": "東",
            "CJK and marks": "か\u3099\u0301",
            "CJK and letters": "東a",
            "Hangul letters": "\u1112\u1161",
            "cues": "is a ",
            "runs of cues": "x is a y is a ",
            "hidden cues": "isa",
            "opening brackets": "[",
            "opening parentheses": "(x is a ",
            "closing parentheses": "x) is a ",
            "links": "[x](",
            "images": "![x is a ",
            "tags": "<a ",
            "less-than signs": "<",
            "comments": "<!-- x is a ",
            "elements": "<code>x is a y ",
            "quotes": '"x is a y ',
            "curly quotes": "“x is a ",
            "backticks": "`x is a ",
            "fences": "```\nx is a y\n",
            "addresses": "a://b is a c ",
            "hints": "gutask iknowthat x is a y ",
            "emphasis that opens": "_x is a ",
            "emphasis that closes": "x_ is a ",
            "emphasis": "_x y_ is a z ",
            "own blocks": "<recollection>x</recollection>",
            "own blocks within own blocks": "<recollection>",
            "ends of own blocks": "</recollection>",
            "halves of own blocks": "<recollection",
            "flags": " -isa x",
            "denied flags": " -not -isa",
            "contexts": " in context of x",
            "placeholders": "<x",
        }.items()
    },
    "nested own blocks": lambda size: (
        "<recollection>" * (size // 29 + 1) + "</recollection>" * (size // 29 + 1)
    ),
    "nested parentheses": lambda size: (
        "(" * (size // 2) + "x is a y" + ")" * (size // 2)
    ),
    "nested brackets": lambda size: "[" * (size // 2) + "x is a y" + "]" * (size // 2),
    "runs of backticks": lambda size: "".join(
        "`" * n + " is a " for n in range(1, int((2 * size) ** 0.5))
    ),
    "an unfinished fence": lambda size: "```\n" + "x is a y. " * (size // 10),
    "an unfinished own block": lambda size: (
        "<recollection>" + "x is a y\n" * (size // 9)
    ),
    "far apart": lambda size: "x is a" + " " * size + "y",
    "a long word at a cue": lambda size: "x" * size + " is a repo",
}
