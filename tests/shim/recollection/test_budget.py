from __future__ import annotations

import pytest

from festinger.shim.recollection import budget
from festinger.shim.recollection.ledger import ToldLine

CONTEXTS = [
    ({"options": {"num_ctx": 4096.0}}, 4096),
    ({"options": {"num_ctx": 0.5}}, 0),
    ({"options": {"num_ctx": -1.0}}, None),
    ({"options": {"num_ctx": float("inf")}}, None),
    ({"options": {"num_ctx": "many"}}, None),
    ({"options": {"num_ctx": True}}, None),
    ({"options": {}}, None),
    ({"options": []}, None),
    ({}, None),
]

SIZES = [
    ({"prompt": "hello"}, 5),
    ({"prompt": "größe"}, 7),
    ({"prompt": "\ud800"}, 3),
    ({"prompt": None, "system": "s"}, 1),
    ({"messages": [{"content": "hello"}, {"content": "you"}]}, 7 + 5 + 7 + 3),
    ({"messages": [{"images": ["AAAA" * 99]}]}, 0),
    ({"messages": [{"content": [{"image_url": {"url": "data:"}}]}]}, 7),
    ({"options": {"stop": ["x"]}, "model": "m", "context": [1.0]}, 0),
    ({"tools": [{"name": "f"}]}, 5),
]


def lines(*lengths, hint=False):
    """Return lines of so many bytes."""
    return [
        ToldLine(str(n), "x" * length, b"", hint) for n, length in enumerate(lengths)
    ]


@pytest.mark.parametrize(("body", "context"), CONTEXTS)
def test_requested_context(body, context):
    """A request's context size counts if it is a number of tokens."""
    assert budget.requested_context(body) == context


@pytest.mark.parametrize(("body", "size"), SIZES, ids=range(len(SIZES)))
def test_prompt_bytes(body, size):
    """Texts weigh, pictures and settings do not."""
    assert budget.prompt_bytes(body) == size


def test_deep_bodies_are_weighed():
    """However deeply a body is nested, its weight is found."""
    nested: object = "x"
    for _ in range(10_000):
        nested = [nested]

    assert budget.prompt_bytes({"messages": nested}) == 1


def test_all_lines_fit():
    """Lines keep their order, and a block that fits is whole."""
    both = [*lines(10, hint=True), *lines(10, 10)]

    assert budget.fitting(both, budget.lines_bytes(both)) == both


def test_hints_go_first():
    """If there is room for some lines only, questions make way for known facts."""
    hint, known = lines(10, hint=True), lines(10)

    assert budget.fitting([*hint, *known], budget.lines_bytes(known)) == known


def test_nothing_fits():
    """Without room there are no lines, and no block is no weight."""
    assert budget.fitting(lines(10), 49) == []
    assert budget.lines_bytes([]) == 0


def test_unknown_context_is_no_limit():
    """If nobody knows the context, blocks are not cut."""
    assert budget.room(10**9, None) > 10**9
    assert budget.room(1000, 400) == 200
