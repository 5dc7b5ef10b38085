"""What a wordbook promises."""

from __future__ import annotations

from typing import Any

import pytest

from festinger import _fast
from festinger.core.language.cues import Lexicon


@pytest.fixture
def vocabulary() -> Any:
    """One that has met three tokens, of which a fact placed one."""
    vocabulary = _fast.Vocabulary()
    vocabulary.add("ant", 1, novelty=1.0)
    vocabulary.add("bee", 2)
    vocabulary.add("a_token_of_more_than_sixteen_bytes", 3)
    return vocabulary


def test_word_of_the_dictionary_is_everyday(vocabulary: Any) -> None:
    """
    Whatever the vocabulary holds.
    """
    words: Lexicon = _fast.Wordbook(frozenset(["cat", "bee"]), vocabulary)

    asked = ["ant", "bee", "cat", ""]
    assert [words.is_everyday(each) for each in asked] == [False, True, True, False]


def test_every_word_of_a_large_dictionary_is_everyday(vocabulary: Any) -> None:
    """
    And no other, be it asked by name or as the container that it is.
    """
    dictionary = frozenset(f"wörd{number}" for number in range(5_000))
    words = _fast.Wordbook(dictionary, vocabulary)

    for number in range(10_000):
        word = f"wörd{number}"
        assert words.is_everyday(word) == (word in words) == (number < 5_000)
    assert 7 not in words
    assert _fast.Wordbook(frozenset(), vocabulary).is_everyday("ant") is False


def test_placed_token_is_known(vocabulary: Any) -> None:
    """
    To be met is not enough.
    """
    words: Lexicon = _fast.Wordbook(frozenset(["ant"]), vocabulary)

    asked = ["ant", "bee", "cat", "", "\ud800", "a_token_of_more_than_sixteen_bytes"]
    assert [words.is_known(each) for each in asked] == [True, *[False] * 5]


def test_what_changes_is_told_as_it_is_then(vocabulary: Any) -> None:
    """
    It copies neither the dictionary nor the vocabulary.
    """
    dictionary: set[str] = set()
    words: Lexicon = _fast.Wordbook(dictionary, vocabulary)

    dictionary.add("cat")
    vocabulary.set_novelty(2, 1.0)
    vocabulary.forget(1)
    assert words.is_everyday("cat")
    assert words.is_known("bee")
    assert not words.is_known("ant")
