from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast.values import (
    ENDS_IN_ED,
    ENDS_IN_ING,
    ENDS_IN_LY,
    HYPHENATED,
    LED,
    REMARKED,
    STRUCK,
)
from festinger.core.language.cues.lists import _listed
from tests import oracle

from .strategies import PROSE, TEXTS

ABOVE = st.lists(
    st.sampled_from(
        [
            *("Requirements:", "Is it?", "**Which**\n", "- an item", "3. item", "it"),
            *("\n", "\n\n", " \t\n", "_", "+", "-", "❌ ", "✗", "\U0001f6ab ", "é "),
            *("\u2022 x", "x" * 40, "word " * 30, "word " * 130),
        ]
    ),
    max_size=6,
).map("".join)
BEHIND = st.sampled_from(
    [
        *("", ".", "!", "?", ". Right?", ". Tr", ". T", ".  True?", ". TRUE", "! No"),
        *(" jk", " wrong", "\nNot", ". Kid", ". é"),
        # Letters that are one of those in lower case, or of which a byte is.
        *(". \u212ai", ". \u7472\u7472", ". T\u7472"),
    ]
)

WORDS = ["the", "is", "family", "quickly", "seed", "hosted", "string", "is-a", "x" * 40]


def sentences_of(build: Any, text: str) -> list[tuple[Any, ...]]:
    """Return the sentences around each cue word of a text."""
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
            told = (sentence.asked, sentence.quoted, sentence.surroundings())
            found.append((words, sentence.text, *told))
    return found


@given(text=PROSE | TEXTS)
def test_sentences_are_those_of_the_oracle(text: str) -> None:
    """Whatever the text, its sentences are the same words, asked or quoted alike."""
    assert sentences_of(_fast, text) == sentences_of(oracle, text)


@given(above=ABOVE, behind=BEHIND)
def test_surroundings_are_those_of_the_oracle(above: str, behind: str) -> None:
    """Whatever stands above it, before it or behind it, and however far."""
    text = f"{above}Gnommoweb is a repo{behind}"

    assert sentences_of(_fast, text) == sentences_of(oracle, text)


@pytest.mark.parametrize(
    ("above", "behind", "seen"),
    [
        ("", "", 0),
        ("It was late.\n\n", ". It runs", 0),
        ("\n+", "", STRUCK),
        ("\u2717 ", "", STRUCK),
        ("", ". Right?", REMARKED),
        ("", "! wrong", REMARKED),
        ("", ". WRONG", 0),
        ("Requirements:\n", "", LED),
        ("Which is true?**\n\n", "", LED),
        ("\n- it was late\n", "", LED),
        ("It was late\n", "", 0),
        (f"Requirements:\n{'It was late. ' * 50}\n", "", 0),
        ("Requirements:\n\u2717 ", ". Wrong", STRUCK | REMARKED | LED),
    ],
)
def test_what_stands_around_a_sentence(above: str, behind: str, seen: int) -> None:
    """A cross, a word that may be a remark, and a line above that may lead to it."""
    *_, sentence = sentences_of(_fast, f"{above}Gnommoweb is a repo{behind}")

    assert sentence[-1] == seen


def test_lists_are_those_of_the_oracle() -> None:
    """A word is on the lists that it was put on, and spelled as it is."""
    words = [*WORDS, *_listed()]
    compiled, plain = _fast.Lists(_listed()), oracle.Lists(_listed())

    assert {it: compiled.of(it) for it in words} == {it: plain.of(it) for it in words}


@pytest.mark.parametrize("word", ["", "x" * 17])
def test_word_that_has_no_key_is_refused(word: str) -> None:
    """A word is of 1 to 16 bytes, and another is no slip that stays unseen."""
    with pytest.raises(ValueError, match="is not of 1 to 16 bytes"):
        _fast.Lists({word: 1})


def test_no_list_is_told_by_the_bit_of_a_spelling() -> None:
    """The word and its spelling are told apart."""
    spelled = ENDS_IN_LY | ENDS_IN_ED | ENDS_IN_ING | HYPHENATED
    listed = 0
    for lists in _listed().values():
        listed |= lists

    assert spelled & listed == 0
