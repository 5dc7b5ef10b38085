"""Rules about answers, which hold whatever a prompt is about."""

from __future__ import annotations

import pytest

from festinger.core.language.marks import SentenceMark
from festinger.core.language.utterances import read_turn
from tests.core.recollection.test_recall import index_of, told

GENERAL = "What is the capital of France?"
RULE = ("theo", "", "Please always answer in Dutch.")


@pytest.mark.parametrize(
    "text",
    [
        "Please always answer in Dutch.",
        "Answer in Dutch from now on. Never use emojis.",
        "I prefer short answers.",
        "I don't like long explanations.",
        "prefer brief replies",
        "no emojis please",
        "stop using bullet points",
        "remember that I hate small talk",
        "keep your answers short",
        "use imperial units",
        "call me Sam",
        "you can use emojis again",
        "bullet points are fine",
    ],
)
def test_rule_about_answers_is_recognised(text):
    """Their language, length and form are set once and for all."""
    marks = [each.marks for each in read_turn(text).utterances]
    assert marks
    assert all(SentenceMark.STANDING in each for each in marks)


@pytest.mark.parametrize(
    "text",
    [
        "Summarise the minutes. Always answer in JSON.",
        "Never force-push to main.",
        "I would like a short answer.",
        "The answer is always 42.",
        "Write a poem, no emojis.",
        "Summarise the minutes. No bullet points.",
        "call me a taxi",
        "answer in Dutch",
    ],
)
def test_other_sentence_is_no_such_rule(text):
    """A template of an agent says how to answer behind its task, for that task."""
    marks = [each.marks for each in read_turn(text).utterances]
    assert not any(SentenceMark.STANDING in each for each in marks)


def test_rule_is_told_to_a_prompt_that_needs_nothing_else():
    """It stands without the notice that quotations are no instructions."""
    (line,) = told(index_of([RULE]), GENERAL)

    assert line.text == "rule (you): Please always answer in Dutch."


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Please always answer in Dutch.", "Always answer in English from now on."),
        ("no emojis please", "you can use emojis again"),
        ("no jargon please", "jargon is fine"),
        ("call me Sam", "call me Sammy"),
        ("I prefer short answers.", "I prefer long and detailed answers."),
    ],
)
def test_rule_is_replaced_by_a_later_one_about_the_same(earlier, later):
    """Two that contradict each other are never told together."""
    lines = told(index_of([("theo", "", earlier), ("theo", "", later)]), GENERAL)

    assert [it.text for it in lines] == [f"rule (you): {later}"]


def test_rules_about_different_things_are_all_told():
    """A language and a form are no contradiction."""
    rules = ["Always answer in Dutch.", "no bullet points please", "call me Sam"]
    lines = told(index_of([("theo", "", it) for it in rules]), GENERAL)

    assert {it.text.partition(": ")[2] for it in lines} == set(rules)


def test_rule_of_a_project_holds_there():
    """A prompt elsewhere, or of somebody else, is not told it."""
    index = index_of([("theo", "wiki", RULE[2])])

    assert told(index, GENERAL, project="wiki")
    assert not told(index, GENERAL, project="shop")
    assert not told(index, GENERAL, project="wiki", asker="nan")


def test_rule_stands_before_what_is_quoted():
    """And is told once, beside what the prompt needs."""
    index = index_of(
        [
            ("nan", "shop", "Kassel delivers the stock file at 05:40 every morning."),
            RULE,
        ]
    )

    lines = told(index, "When does Kassel deliver the stock file?")

    assert [it.text.split(":")[0] for it in lines] == ["rule (you)", "nan, 3 Aug"]
