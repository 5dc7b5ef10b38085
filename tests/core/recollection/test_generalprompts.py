"""Prompts that any model answers alone are told from turns that state something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.general import KEPT_OUT, NOTES_KEPT_OUT, prompts_in
from festinger.core.language.utterances import read_turn
from festinger.core.recollection.features import GENERAL
from festinger.core.recollection.generalprompts import is_general, values_of_turn
from festinger.services.language.keeping import kept_of


def general(text: str, answered: str = "") -> bool:
    """Return whether a turn is a prompt for any model."""
    return is_general(text, read_turn(text, answered), answered)


def share_of_general(texts: tuple[str, ...]) -> float:
    """Return the share of texts that are taken for prompts, of those with sentences."""
    kept = [it for it in texts if read_turn(it).utterances]
    return sum(map(general, kept)) / len(kept)


@pytest.mark.parametrize(
    "text",
    [
        "a toast for a wedding, short",
        "difference between ser and estar",
        "awk to sum the third column of a csv",
        "some good names for a cat",
    ],
)
def test_prompt_that_any_model_answers_is_general(text):
    """Even though it has no mark of a question or a request."""
    assert read_turn(text).utterances
    assert general(text)


@pytest.mark.parametrize(
    "text",
    [
        "my dog is a beagle",
        "prod is a kubernetes cluster",
        "key's under the mat",
        "i take the blue pill in the morning",
        "The neighbours in number fourteen keep the spare key under a pot",
        "answer in english from now on",
        "The staging cluster for the catalog runs in Falkenstein.",
        "Kassel delivers the stock file at 05:40 every morning.",
    ],
)
def test_statement_by_its_form_is_not_general(text):
    """A subject with its verb states something, and a rule for all answers holds."""
    assert not general(text)
    assert not general(text, "Done. Would you like me to explain the change?")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("tuesdays, in the parish hall", "When do you rehearse?"),
        ("postgres 16 on the small box", "Which database do you use?"),
        ("around 500 euro", "What is your budget for the weekend?"),
    ],
)
def test_answer_to_a_question_is_not_general(text, asked):
    """It says something of its speaker, though it has no verb."""
    assert not general(text, f"Happy to help! {asked}")


@pytest.mark.parametrize(
    "text",
    ["shorter please", "more casual", "same but without the intro", "another one"],
)
def test_refinement_of_an_answer_is_general(text):
    """It asks for another answer, and is of no use later."""
    assert not kept_of(
        text, "Here is the mail. Would you like another version?"
    ).utterances


def test_long_turn_is_not_general():
    """Whoever writes at length says something of their own."""
    assert not general("a toast for a wedding, short, " * 20)


def test_most_prompts_of_another_author_are_general():
    """Of those that have a sentence that would be kept, and nothing was fitted to them."""
    assert share_of_general(prompts_in(KEPT_OUT)) > 0.5


def test_hardly_a_note_of_another_author_is_general():
    """Short notes without a verb state something, and nothing was fitted to them."""
    assert share_of_general(prompts_in(NOTES_KEPT_OUT)) < 0.05


@given(st.text(max_size=400))
def test_each_turn_has_all_features(text):
    """Whatever is written, and with any script."""
    assert len(values_of_turn(text, read_turn(text))) == len(GENERAL)
