from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.candidates import Priority
from festinger.core.validation.backlog import (
    BacklogItem,
    BacklogReason,
    BacklogResult,
    BacklogState,
    DreamReport,
    DreamRun,
)

ITEM = BacklogItem(1, 2, "", BacklogReason.EXPIRED, Priority.NORMAL, 0.0, 0.0)
FINDINGS = st.lists(
    st.builds(
        BacklogResult,
        fact=st.just("a -isa b"),
        outcome=st.sampled_from(
            ["held", "corroborated", "candidate", "conflicted", "rejected"]
        ),
        reason=st.sampled_from(["", "settled", "not_grounded"]),
        predicate=st.sampled_from(["", "t:joined", "t:mentors"]),
    ),
    max_size=6,
)


@given(st.lists(st.tuples(FINDINGS, st.booleans()), max_size=8))
def test_a_night_that_is_gone_on_with_counts_the_same(found):
    """Counting item by item, or all at once after a crash, makes one report."""
    items = [
        replace(
            ITEM,
            state=BacklogState.DONE if done else BacklogState.WAITING,
            findings=findings,
        )
        for findings, done in found
    ]
    one, other = DreamRun(1, "op", 0.0), DreamRun(1, "op", 0.0)

    for item in items:
        one.count(item, {"t:joined"})
    other.recount(items, {"t:joined"})

    assert one == other
    assert one.done == len(items)
    assert DreamReport.of_json(one.report.as_json()) == one.report
    assert "t:joined" not in one.report.predicates


def test_a_refused_statement_suggests_no_predicate():
    """A sentence that nobody said teaches no words either."""
    report = DreamReport()

    report.count([BacklogResult("a", "rejected", "not_grounded", "t:mentors")], [])

    assert report.predicates == {}


def test_an_item_that_fails_for_good_is_over():
    """Given up it has an end; else it waits for its time."""
    waiting = ITEM.set_back("prose", 1, 60.0, 0.0)
    over = ITEM.set_back("prose", 5, None, 7.0)

    assert (waiting.state, waiting.due, waiting.done) == (
        BacklogState.WAITING,
        60.0,
        None,
    )
    assert (over.state, over.done, over.last_error) == (
        BacklogState.FAILED,
        7.0,
        "prose",
    )
