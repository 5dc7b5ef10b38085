"""The words of a prompt, by which prompts that any model answers are told apart."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.lines.wordvectors import WIDTH
from festinger.core.recollection.wording import (
    SMALL_WORDS,
    WORD_FEATURES,
    values_of_words,
)


def small_words_in(text: str) -> set[str]:
    """Return the small words that are features of a text."""
    values = values_of_words(text)
    return {it for it, value in zip(SMALL_WORDS, values, strict=False) if value}


def test_small_words_are_features():
    """Also those that are joined by an apostrophe; others are none."""
    assert small_words_in("what's the fridge for") == {"what", "s", "the", "for"}


@given(st.text(max_size=400))
def test_each_text_has_all_features(text):
    """Whatever is written, and with any script."""
    assert len(values_of_words(text)) == len(WORD_FEATURES)


@pytest.mark.parametrize("times", [1, 50])
def test_meaning_does_not_grow_with_the_text(times):
    """A long prompt weighs as much as a short one."""
    meaning = values_of_words("bread rises " * times)[-WIDTH:]

    assert isclose(sum(it * it for it in meaning), 1.0)


def test_unknown_words_mean_nothing():
    """They have no vector, and nothing is divided by zero."""
    assert not any(values_of_words("冰箱")[-WIDTH:])
