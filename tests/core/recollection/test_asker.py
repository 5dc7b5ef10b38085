"""Prompts that ask what is known about the asker."""

from __future__ import annotations

import pytest

from festinger.core.recollection.asker import asks_about_asker
from tests.core.recollection.test_recall import index_of, told

TALK = [
    ("theo", "home", "I'm allergic to peanuts."),
    ("nan", "home", "My boss is Henk."),
    ("theo", "home", "The boiler is from 2011."),
    ("theo", "home", "My dog is called Bruno, he's a four year old beagle."),
    ("theo", "home", "Can you remind me of my dentist?"),
]


@pytest.mark.parametrize(
    "prompt",
    [
        "What do you know about me?",
        "who am i",
        "Tell me what you remember about me.",
        "Do you remember me?",
        "Summarise all you have stored about myself, please.",
        "what have I told you so far about me",
    ],
)
def test_question_about_the_asker_is_recognised(prompt):
    """People ask in many ways for what is known about them."""
    assert asks_about_asker(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Who am I meeting on Thursday?",
        "Tell me about the Roman empire.",
        "Tell me a joke.",
        "Let me know. What about Monday?",
        "Nobody told me. About that invoice: pay it.",
    ],
)
def test_other_question_is_not(prompt):
    """To be told something, or to meet somebody, is no question about oneself."""
    assert not asks_about_asker(prompt)


def test_asker_is_told_what_they_said_of_themselves():
    """Neither what others said of themselves, nor what they said of anything else."""
    lines = [it.text for it in told(index_of(TALK), "What do you know about me?")]

    assert len(lines) == 2
    assert any("allergic to peanuts" in it for it in lines)
    assert any("Bruno" in it for it in lines)


def test_nothing_is_told_of_an_asker_who_said_nothing():
    """Words of others about themselves are no answer."""
    assert not told(index_of(TALK), "What do you know about me?", asker="maya")
