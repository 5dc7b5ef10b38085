"""Sentences that state, ask or request something."""

from __future__ import annotations

import pytest

from festinger.core.language.marks import SentenceMark, marks_of


@pytest.mark.parametrize(
    "text",
    [
        "test server is orca",
        "build runs on gitlab",
        "book club meets on thursdays",
        "deploy freeze starts friday",
        "order from the farm came late",
        "review of the draft is due on monday",
        "push notifications go through apns",
        "text from jo, we start at 7",
        "update: the talk is in room 4",
    ],
)
def test_a_noun_that_is_a_verb_too_requests_nothing(text):
    """People leave out articles: "order came late" states what "order two" requests."""
    assert not marks_of(text) & SentenceMark.REQUEST


@pytest.mark.parametrize(
    "text",
    [
        "remember that the key is with jo",
        "don't forget, bins go out on monday",
        "please keep in mind jo is vegetarian",
        "can you remember that my dog is called rex?",
        "make a note: dentist on 4 may",
    ],
)
def test_what_is_to_be_remembered_is_stated(text):
    """The rest is a statement, in any form of the request."""
    asked = SentenceMark.REQUEST | SentenceMark.QUESTION
    assert not marks_of(text) & asked


@pytest.mark.parametrize(
    "text", ["remember when we met?", "do you remember my name?", "note the time"]
)
def test_what_asks_to_recall_states_nothing(text):
    """A question about what was, or a task."""
    asked = SentenceMark.REQUEST | SentenceMark.QUESTION
    assert marks_of(text) & asked


@pytest.mark.parametrize(
    "text",
    [
        "order two of them",
        "check if the build is green",
        "make sure tests are green",
        "list all repos that are archived",
        "email ana, her address is new",
        "reply to ana that we are fine",
        "move the call to 4",
        "build the image and tell me how long it took",
    ],
)
def test_a_verb_with_an_object_requests(text):
    """A clause behind what is requested makes no statement of it."""
    assert marks_of(text) & SentenceMark.REQUEST


@pytest.mark.parametrize(
    "text",
    [
        "was at the dentist today, 2 cavities",
        "had lunch with bo at the lido",
        "have two cats, miso and tofu",
        "has been with us since 2019",
        "am allergic to cats",
        "does not eat meat",
        "when jo is away bo signs",
        "what i like is strong coffee",
        "which means no deploys on friday",
        "who is in: ana, bo, cem",
        "may 12 is the open day",
        "did 5k today in 28 minutes",
        "does nights",
        "does judo on saturdays",
        "did pottery for years",
        "is allergic to wasps",
        "is right-handed",
        "is coming in june",
        "was vue before",
        "would rather sit outside",
        "any news goes to lone",
        "could the label say kiln and not oven",
    ],
)
def test_a_statement_that_begins_like_a_question_asks_nothing(text):
    """Without its subject, or behind a clause, it begins with the same words."""
    assert not marks_of(text) & SentenceMark.QUESTION


@pytest.mark.parametrize(
    "text",
    [
        "was it on monday",
        "had he eaten",
        "have we got two cats",
        "has the plumber called",
        "am i allergic to cats",
        "does he eat meat",
        "when is jo away",
        "what i need for rome",
        "which means of transport is best",
        "who is in",
        "may i call you",
        "did jo run today",
        "does judo cost much",
        "did it on saturday",
        "is judo allergic to wasps",
        "was it vue before",
        "wheres the ladder",
        "whos at the desk",
        "do we still rent the garage",
        "can we have the hall",
        "will it snow",
        "would that suit runa",
        "any idea why the pump hums",
        "anyone got a ladder",
        "want me to book it",
    ],
)
def test_a_question_needs_no_question_mark(text):
    """Its subject, or a verb before it, tells it from a statement."""
    assert marks_of(text) & SentenceMark.QUESTION
