"""Texts that are likely to break a tokeniser."""

from __future__ import annotations

from hypothesis import strategies as st

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
)  # fmt: skip

_ANYTHING = st.characters(codec=None)

TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.one_of(st.sampled_from(PIECES), _ANYTHING), max_size=40).map("".join),
    st.text(_ANYTHING, max_size=200),
)
