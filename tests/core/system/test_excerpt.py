from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.system.excerpt import (
    WORD_CHARACTERS_MAX,
    begin_within,
    end_within,
    head,
)

TEXTS = st.text(st.sampled_from("ab \n.é中"), max_size=200)


@pytest.mark.parametrize(
    ("text", "size", "kept"),
    [
        ("I love fettuccini", 17, "I love fettuccini"),
        ("I love fettuccini", 16, "I love"),
        ("I love fettuccini", 6, "I love"),
        ("I love fettuccini", 7, "I love"),
        ("I love\n\nfettuccini", 9, "I love"),
        ("fettuccini", 4, "fett"),
        ("I " + "中" * 200, 100, "I " + "中" * 98),
        ("anything", 0, ""),
        ("", 5, ""),
    ],
)
def test_head_ends_with_a_word(text, size, kept):
    """A word that does not fit is left out; what is no word is cut where it must be."""
    assert head(text, size) == kept


@given(TEXTS, st.integers(0, 220), st.integers(0, 220))
def test_ends_and_beginnings_are_within(text, one, other):
    """The named place is contained, at most so much, and a torn word has no blank near."""
    first, last = sorted((min(one, len(text)), min(other, len(text))))

    end, begin = end_within(text, first, last), begin_within(text, first, last)

    assert first <= begin <= last
    assert first <= end <= last
    if first < end < len(text) and not text[end].isspace():
        assert end == last
        near = text[max(first, end - WORD_CHARACTERS_MAX) : end]
        assert not any(it.isspace() for it in near.lstrip())
    if 0 < begin < last and not text[begin - 1].isspace():
        assert begin == first
        near = text[begin : min(last, begin + WORD_CHARACTERS_MAX)]
        assert not any(it.isspace() for it in near)
