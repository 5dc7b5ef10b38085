"""Offers of more answers are told from questions about people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.offering import (
    asks_about_person,
    last_question,
    offers_more,
)


@pytest.mark.parametrize(
    "turn",
    [
        "Would you like me to suggest a wine?",
        "Sure! Would you like a shorter version? \U0001f60a",
        "Risotto. Would you like a shopping list?",
        "**Would you like to see an example in TypeScript?**",
        "Is there anything else you'd like to know?",
        "Does that make sense?",
        "Want me to turn this into a checklist?",
        "Would you like me to do the same for your cover letter?",
        "Hello! What's on your mind today?",
        "Where should we start?",
        "Did I get that right?",
    ],
)
def test_offer_asks_nothing_about_people(turn):
    """A prompt behind it answers no question."""
    question = last_question(turn)

    assert offers_more(question)
    assert not asks_about_person(question)


@pytest.mark.parametrize(
    "turn",
    [
        "Which database do you use?",
        "How many kids do you have?",
        "Is there anything you're allergic to?",
        "What else do you take besides lisinopril?",
        "Should I list you as vegetarian?",
        "Should I add it to your calendar for Friday 3 pm?",
        "Where do you live? (Just the city is fine.)",
        "What is your budget? Let me know and I'll tailor it!",
        "Are you in the U.S. or abroad?",
    ],
)
def test_question_about_people(turn):
    """An answer to it is worth keeping."""
    assert asks_about_person(last_question(turn))


@pytest.mark.parametrize(
    "turn",
    [
        "So your flight is on Friday at 9. Does that sound right?",
        "Would you like me to pin it to 16?",
        "Gas or electric?",
    ],
)
def test_other_question_is_no_offer(turn):
    """A "yes" behind it confirms something."""
    assert not offers_more(last_question(turn))


def test_turn_without_a_question_asks_nothing():
    """Nor does one whose question is long answered."""
    assert not last_question("Done, the config is updated.")
    assert not last_question("Why so? Because it is old. The rest is fine. Done.")


@given(st.text(max_size=600))
def test_each_turn_is_read(turn):
    """A model may write anything."""
    question = last_question(turn)

    assert question == "" or question.endswith("?")
    assert not (offers_more(question) and asks_about_person(question))
