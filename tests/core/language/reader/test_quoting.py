from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.reader.quoting import QUOTE_CHARACTERS_MAX, find_quote

TEXT = "ok so  Prod is still\non pg 14, don’t touch it. I think “staging” moved."


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("Prod is still\non pg 14", "Prod is still\non pg 14"),
        ("prod is STILL on pg 14.", "Prod is still\non pg 14"),
        ("don't touch it", "don’t touch it"),
        ('"staging" moved', "staging” moved"),
        ("… staging moved", "staging” moved"),
    ],
)
def test_words_are_found_as_they_were_typed(quote, words):
    """White space, capitals, quotation marks and punctuation at the ends do not count."""
    found = find_quote(quote, TEXT)

    assert found
    assert found.words == words


@pytest.mark.parametrize(
    "quote",
    ["prod is on pg 14", "pg 1", "rod is still", "", "…", "it is fine"],
)
def test_words_that_nobody_typed_are_not_found(quote):
    """Neither others, nor a part of a word, nor none."""
    assert find_quote(quote, TEXT) is None


def test_sentence_around_it_is_told():
    """A quotation stands in a sentence that may ask or doubt."""
    found = find_quote("staging moved", TEXT)

    assert found
    assert found.around == "I think “staging” moved."


@given(st.text(max_size=200), st.data())
def test_words_of_a_text_are_found_in_it(text, data):
    """Any run of its words, in whatever case and spacing."""
    words = text.split()
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    found = find_quote("  ".join(words[start:end]), text)

    # Words of nothing but punctuation are none.
    if any(it.isalnum() for it in "".join(words[start:end])):
        assert found
        assert len(found.words) <= QUOTE_CHARACTERS_MAX


@given(st.text(max_size=60), st.text(max_size=200))
def test_what_is_found_stands_there(quote, text):
    """Whatever is asked for, the answer is a piece of the text."""
    found = find_quote(quote, text)

    if found:
        assert found.words in text
