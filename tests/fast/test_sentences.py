from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from festinger._fast.values import ENDS_IN_ED, ENDS_IN_ING, ENDS_IN_LY, HYPHENATED
from festinger.core.cues.lists import _listed

from .builds import BUILDS, compiled, needs_compiled, reference
from .strategies import PROSE, TEXTS

WORDS = ["the", "is", "family", "quickly", "seed", "hosted", "string", "is-a", "x" * 40]


def sentences_of(build: Any, text: str) -> list[tuple[Any, ...]]:
    """What is found around each cue word of a text."""
    scan = build.scan(text)
    prose = build.readable(scan.text)
    reader = build.SentenceReader(scan, prose, build.Lists(_listed()))
    found: list[tuple[Any, ...]] = []
    for cue in scan.cues():
        if cue < reader.done:
            continue
        first = reader.around(cue)
        found.append((first, reader.done))
        if first >= 0:
            sentence = reader.sentence(first)
            words = [sentence.word(at) for at in range(sentence.count)]
            found.append((words, sentence.asked, sentence.quoted, sentence.text))
    return found


@needs_compiled
@given(text=PROSE | TEXTS)
def test_both_builds_find_the_same_sentences(text: str) -> None:
    """
    Whatever the text, its sentences are the same words, asked or quoted alike.
    """
    assert sentences_of(compiled, text) == sentences_of(reference, text)


@needs_compiled
@pytest.mark.parametrize("word", [*WORDS, *sorted(_listed())])
def test_both_builds_know_the_same_lists(word: str) -> None:
    """
    A word is on the lists that it was put on, and spelled as it is.
    """
    assert compiled.Lists(_listed()).of(word) == reference.Lists(_listed()).of(word)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("word", ["", "x" * 17])
def test_word_that_has_no_key_is_refused(build: Any, word: str) -> None:
    """
    A word is of 1 to 16 bytes, and another is no slip that stays unseen.
    """
    with pytest.raises(ValueError, match="is not of 1 to 16 bytes"):
        build.Lists({word: 1})


def test_no_list_is_told_by_the_bit_of_a_spelling() -> None:
    """
    What a word is on and how it is spelled are told apart.
    """
    spelled = ENDS_IN_LY | ENDS_IN_ED | ENDS_IN_ING | HYPHENATED
    listed = 0
    for lists in _listed().values():
        listed |= lists

    assert spelled & listed == 0
