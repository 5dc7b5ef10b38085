from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from tests import oracle

words = st.sampled_from(["db", "port", "node", "kassel", "über", "日本"])
lines = st.dictionaries(words, st.floats(0.25, 4), min_size=1, max_size=4)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), lines, st.integers(0, 2)),
        st.tuples(st.just("close"), st.integers(0, 12)),
    ),
    max_size=24,
)
queries = st.lists(
    st.tuples(words, st.floats(0.1, 2)), max_size=4, unique_by=lambda it: it[0]
)


def filled(build: Any, doing: list[Any]) -> Any:
    """Return an index after some lines were added and closed."""
    postings = build.Postings()
    added: list[dict[str, float]] = []
    for what, *rest in doing:
        if what == "add":
            postings.add(rest[0].items(), rest[1])
            added.append(rest[0])
        elif rest[0] < len(added):
            postings.close(rest[0], added[rest[0]].keys())
    return postings


@given(
    doing=steps,
    query=queries,
    group=st.integers(-2, 2),
    first=st.integers(0, 14),
    read_max=st.integers(0, 12),
)
def test_lines_found_are_those_of_the_oracle(
    doing: Any, query: Any, group: int, first: int, read_max: int
) -> None:
    """The same lines with the same terms, and scores that differ by rounding alone."""
    asked = (query, group, 2.0, 50, first, read_max)
    ours = filled(_fast, doing).search(*asked)
    theirs = filled(oracle, doing).search(*asked)

    assert {it[0]: it[2] for it in ours} == {it[0]: it[2] for it in theirs}
    scores = {it[0]: it[1] for it in theirs}
    assert all(score == pytest.approx(scores[at], rel=1e-3) for at, score, _ in ours)


@given(doing=steps, query=queries, group=st.integers(-2, 2), most=st.integers(0, 9))
def test_the_best_are_the_first_of_all(
    doing: Any, query: Any, group: int, most: int
) -> None:
    """A request for fewer lines gets the first ones of those that others get."""
    postings = filled(_fast, doing)

    every = postings.search(query, group, 2.0, 50)

    assert postings.search(query, group, 2.0, most) == every[:most]


def test_lines_before_the_first_are_not_found() -> None:
    """Nor do they count for what may be read; they do for how rare a term is."""
    postings = _fast.Postings()
    for _ in range(9):
        postings.add([("port", 1.0), ("db", 1.0)])
    asked = [("port", 1.0), ("db", 1.0)]

    found = postings.search(asked, -2, 0.0, 20, 7, 4)

    assert [(line, terms) for line, _, terms in found] == [(8, 0b11), (7, 0b11)]
    assert found == postings.search(asked, -2, 0.0, 20)[:2]


def test_rare_term_outweighs_a_common_one() -> None:
    """Of two lines that share one term each, the one with the rarer term comes first."""
    postings = _fast.Postings()
    for _ in range(9):
        postings.add([("port", 1.0)])
    rare = postings.add([("kassel", 1.0)])

    found = postings.search([("port", 1.0), ("kassel", 1.0)], -2, 0.0, 10)

    assert found[0][0] == rare
    assert found[0][2] == 0b10


def test_closed_line_is_not_found() -> None:
    """Nor does it count for how rare its terms are."""
    postings = _fast.Postings()
    first = postings.add([("port", 1.0)])
    second = postings.add([("port", 1.0)])

    postings.close(first, ["port"])

    assert [it[0] for it in postings.search([("port", 1.0)], -2, 0.0, 10)] == [second]
    assert (postings.open, postings.frequency("port"), len(postings)) == (1, 1, 2)


def test_lines_of_the_group_come_first() -> None:
    """The bonus chooses; it is no part of the score."""
    postings = _fast.Postings()
    ours = postings.add([("port", 1.0)], 1)
    postings.add([("port", 1.0)], 2)

    found = postings.search([("port", 1.0)], 1, 2.0, 1)

    assert found[0][0] == ours
    assert found[0][1] < 2.0


def test_what_lines_have_of_the_last_search_is_told() -> None:
    """Terms of the newest search alone, whether or not a line was among the best."""
    postings = _fast.Postings()
    for term in ("db", "port", "node"):
        postings.add([(term, 1.0)])
    postings.search([("node", 1.0)], 0, 0.0, 3)
    postings.search([("port", 1.0), ("db", 1.0)], 0, 0.0, 1)
    assert postings.matched([0]) == 0b10
    assert postings.matched([0, 1, 2]) == 0b11
    assert postings.matched([2]) == 0
