"""The wording of a prompt, which shows whether it needs a memory."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.lines.wordvectors import WIDTH
from festinger.core.recollection.wording import (
    FORM_FEATURES,
    SMALL_WORDS,
    WORD_FEATURES,
    values_of_wording,
    values_of_words,
)


def wording_of(prompt: str) -> dict[str, float]:
    """Return the features of a prompt by name."""
    return dict(zip(FORM_FEATURES, values_of_wording(prompt), strict=True))


@pytest.mark.parametrize(
    ("prompt", "form"),
    [
        ("What is a mutex?", "world"),
        ("why does bread rise", "world"),
        ("how many lego bricks make a house", "world"),
        ("is a whale a fish or a mammal", "choice"),
        ("tabs vs spaces", "choice"),
        ("How do I exit vim?", "how_to"),
        ("what is forty times seven", "arithmetic"),
        ("72 degrees in celsius", "arithmetic"),
        ("jq: sum a field", "code"),
        ("a recipe for shortbread", "fiction"),
        ("what rhymes with orange", "wording"),
        ("how do you say thank you in Swedish", "wording"),
        ("draft a mail to the customer", "task"),
        ("when do we meet", "ours"),
        ("which town do I live in", "own_fact"),
        ("what is our test machine called", "own_fact"),
        ("are we insured", "own_fact"),
        ("do you know my size", "recalling"),
        ("gateway port?", "fragment"),
        ("thanks, see you tomorrow", "courtesy"),
        ("which shoes did she want", "third_person"),
        ("is grandma coming", "relative"),
        ("is the lift sorted", "state"),
        ("make it formal: gimme the key", "given"),
        ("can you please shorten this for a sign: the shop is shut", "given"),
        ("chain slips, what do i check first", "advice"),
        ("can we see Mars tonight", "advice"),
        ("who painted the water lilies", "world"),
        ("what was playing in 1968", "world"),
        ("is a dryer worth it", "choice"),
        ("five good movies about chess", "fiction"),
        ("the spanish for chair", "wording"),
    ],
)
def test_forms_are_recognised(prompt, form):
    """
    General questions, arithmetic, code, fiction, rewording, advice, tasks, own affairs and
    facts; people and things that were spoken of before.
    """
    assert wording_of(prompt)[form] == 1.0


def test_plain_statement_has_no_form():
    """A sentence without any of them has all of their features at 0."""
    assert not any(wording_of("Billing runs on podman").values())


@pytest.mark.parametrize(
    "prompt", ["", "\x00", "\ud800", "冰箱在哪里", "🦊" * 50, "the " * 9_000]
)
def test_any_prompt_has_features(prompt):
    """Empty prompts, foreign scripts, lone surrogates and long ones are no error."""
    assert len(wording_of(prompt)) == len(FORM_FEATURES)


def test_own_practice_is_no_general_question():
    """
    "How do we cut the data" asks for the way that was agreed on.
    """
    assert not wording_of("how do we cut the data")["how_to"]
    assert wording_of("how do I cut the data")["how_to"]


# The words of a prompt


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
