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
        "keep answers short btw",
        "whenever i ask for portuguese use pt-PT",
        "In any figure you make please use viridis.",
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
        "write tests for every function",
        "I put the kettle on for every message",
        "when you write this email, please mention the fee",
        "I always struggle with math questions",
        "no emojis in this one",
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


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("shorter. keep answers short btw, i read them in the truck", "keep answers"),
        ("Yes, with British spelling, always. The play is on Friday.", "with British"),
        ("fix the date. no emojis for me please", "no emojis"),
        ("fix the date. In future no emojis.", "In future"),
    ],
)
def test_rule_that_says_so_holds_beyond_its_task(text, rule):
    """The other sentences of its message are none."""
    standing = [
        each.text
        for each in read_turn(text).utterances
        if SentenceMark.STANDING in each.marks
    ]
    assert len(standing) == 1
    assert rule in standing[0]


@pytest.mark.parametrize(
    ("rule", "meant", "other"),
    [
        (
            "Please in future when I ask for recipes write grams, not cups.",
            "Recipe for focaccia, please.",
            GENERAL,
        ),
        (
            "always give me a mnemonic with anatomy or drug stuff",
            "explain the anatomy of the knee",
            GENERAL,
        ),
        (
            "For all letters and e-mails: no bullet points, Canadian spelling.",
            "write a letter to the city about the bins",
            "what is a quark",
        ),
    ],
)
def test_rule_with_a_scope_is_told_within_it(rule, meant, other):
    """Whatever else the prompt needs, and not to prompts of another kind."""
    index = index_of([("theo", "", rule)])

    assert [it.text for it in told(index, meant)] == [f"rule (you): {rule}"]
    assert not told(index, other)


def test_rule_with_a_scope_ends_none_that_holds_for_all():
    """Dutch stays the language of all other answers."""
    scoped = "when i ask for a summary use English"
    index = index_of([RULE, ("theo", "", scoped)])

    assert [it.text for it in told(index, GENERAL)] == [f"rule (you): {RULE[2]}"]
