from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.origins import StatementKind
from festinger.core.language.reader.answers import FIELD_CHARACTERS_MAX, parse_answer
from festinger.core.language.reader.questions import SCHEMA, STATEMENTS_MAX
from festinger.errors import BadAnswer

STATEMENT = {
    "turn": 2,
    "quote": "prod is on pg 14",
    "subject": "prod",
    "predicate": "runs on",
    "value": "pg 14",
    "kind": "fact",
    "single": True,
    "negated": False,
    "replaces": None,
    "topics": ["upgrade the database"],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*STATEMENT, "statements"]) | st.text(max_size=5),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


def answer(*statements: object) -> str:
    """Return an answer with these statements."""
    return json.dumps({"statements": list(statements)})


def test_statement_is_read():
    """Every field of the form that was asked for."""
    (read,) = parse_answer(answer(STATEMENT))

    assert read.problem == ""
    assert (read.turn, read.quote) == (2, "prod is on pg 14")
    assert (read.subject, read.predicate, read.value) == ("prod", "runs on", "pg 14")
    assert (read.kind, read.single, read.negated) == (StatementKind.FACT, True, False)
    assert (read.replaces, read.topics) == (0, ("upgrade the database",))


@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```",
        "Here you are:\n```\n{}\n```\nAnything else?",
        "<think>hm</think>\n{}",
    ],
)
def test_what_stands_around_it_is_forgiven(around):
    """Models put fences, remarks and thoughts around what they were asked for."""
    (read,) = parse_answer(around.replace("{}", answer(STATEMENT)))

    assert read.value == "pg 14"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The users said that prod runs on Postgres 14.",
        '{"statements": [{"turn": 2, "quote": "prod is',
        '{"statements": 7}',
        '"statements"',
        "[" * 100_000,
        '{"statements": NaN}',
        answer(*[STATEMENT] * (STATEMENTS_MAX + 1)),
        answer(*[STATEMENT] * 3_000),
        answer(STATEMENT) + " " * 1_000_000,
    ],
    ids=range(10),
)
def test_answer_that_is_none_is_refused(text):
    """Prose, broken JSON, thousands of statements: nothing of it is taken."""
    with pytest.raises(BadAnswer):
        parse_answer(text)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"quote": ""}, "no quote"),
        ({"value": None}, "no value"),
        ({"subject": ["prod"]}, "no subject"),
        ({"predicate": "x" * (FIELD_CHARACTERS_MAX + 1)}, "predicate too long"),
    ],
)
def test_statement_of_another_form_is_named(changed, problem):
    """One that is wrong says why, and the others count."""
    wrong, right = parse_answer(answer(STATEMENT | changed, STATEMENT))

    assert wrong.problem == problem
    assert right.problem == ""


def test_numbers_are_values():
    """Models write a port as a number."""
    (read,) = parse_answer(answer(STATEMENT | {"value": 5432}))

    assert read.value == "5432"


@given(JSON)
def test_any_json_is_read_or_refused(value):
    """Whatever JSON a model writes, it is statements with their problems, or refused."""
    try:
        read = parse_answer(json.dumps(value))
    except BadAnswer:
        return
    for each in read:
        assert each.problem or (each.quote and each.value)
        assert "\n" not in each.quote + each.value


@given(st.text())
def test_any_text_is_read_or_refused(text):
    """The same of any text at all."""
    said = ""
    try:
        parse_answer(text)
    except BadAnswer as error:
        said = error.message

    assert not said or said.startswith("the answer")


def test_schema_asks_for_what_is_read():
    """The form that models are given has the fields that are read of their answers."""
    item = SCHEMA["properties"]["statements"]["items"]

    assert SCHEMA["title"] == "statements"
    assert set(item["properties"]) == set(STATEMENT) == set(item["required"])
