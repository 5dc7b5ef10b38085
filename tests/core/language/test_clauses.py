"""Splitting of sentences into clauses and words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.clauses import _with_is, pieces_of
from festinger.core.language.clausewords import CONTRACTIONS, IS_AFTER_NAME

_CHUNKS = st.sampled_from(
    [
        *CONTRACTIONS,
        *sorted(IS_AFTER_NAME),
        "Tom's",
        "TOM\u2019S",
        "Its",
        "ITS",
        "port",
        "3",
    ]
) | st.text("itsnTo'\u2019.,:() ", max_size=8)


@given(st.lists(_CHUNKS, max_size=12).map(" ".join))
def test_no_word_is_left_that_stands_for_two(text):
    """Each `X's on` of a text is split, wherever it stands and however it is typed."""
    pieces = pieces_of(text)

    assert [words for _, words in pieces] == [_with_is(words) for _, words in pieces]
