"""Rules beside what people say later; scikit-learn's friend scipy says what is right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.validation.drift import (
    COMPARED_MIN,
    Drift,
    RuleCounts,
    compare,
    fisher,
)

MANY = st.integers(0, 200)


@given(MANY, MANY, MANY, MANY)
def test_fisher_is_scipys(denied, agreed, denied_before, agreed_before):
    """The one-sided test, to the last digits that matter."""
    oracle = pytest.importorskip("scipy.stats").fisher_exact(
        [[denied, agreed], [denied_before, agreed_before]], alternative="greater"
    )

    found = fisher(
        denied, denied + agreed, denied_before, denied_before + agreed_before
    )

    assert found == pytest.approx(oracle.pvalue, rel=1e-6, abs=1e-12)


def of(rule, agreed, denied, agreed_before, denied_before):
    """Return the counts of a rule, lately and before."""
    return [
        RuleCounts(rule, True, agreed, denied),
        RuleCounts(rule, False, agreed_before, denied_before),
    ]


def test_nothing_to_compare():
    """No drift is found in nothing."""
    assert compare([]) == Drift()
    assert not compare([RuleCounts("is a", True, 3, 3)]).drifting


def test_worse_than_chance_explains():
    """The rule is named, and stands first."""
    drift = compare([*of("is a", 20, 20, 90, 10), *of("runs on", 40, 2, 40, 2)])

    assert "is a" in drift.drifting
    assert "runs on" not in drift.drifting
    assert drift.rules[0].rule == "is a"
    assert (drift.whole.denied, drift.whole.compared) == (22, 82)


def test_as_bad_as_ever_is_no_drift():
    """A rule that was always wrong half of the time has not changed; nor has a better one."""
    assert not compare(of("is a", 50, 50, 50, 50)).drifting
    assert not compare(of("is a", 99, 1, 50, 50)).drifting


def test_few_comparisons_prove_nothing():
    """Nine of nine are too few, new or old."""
    few = COMPARED_MIN - 1

    assert not compare(of("is a", 0, few, 500, 0)).drifting
    assert not compare(of("is a", 0, 500, few, 0)).drifting
    assert compare(of("is a", 0, COMPARED_MIN, 500, 0)).drifting


def test_many_rules_are_allowed_one_that_looks_bad():
    """A deviation that were drift of a single rule is none of one among thirty."""
    odd = of("odd", 20, 8, 95, 9)
    others = [it for at in range(30) for it in of(f"r{at}", 200, 10, 200, 10)]

    alone, among = compare(odd), compare([*odd, *others])

    assert "odd" in alone.drifting
    assert not among.drifting
    assert among.rules[0].rule == "odd"


@given(
    st.lists(
        st.builds(
            RuleCounts,
            st.sampled_from("abc"),
            st.booleans(),
            st.integers(0, 30),
            st.integers(0, 30),
        ),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_counts_add_up(counts, source):
    """In any order, and all rules together are the sum of all."""
    shuffled = list(counts)
    source.shuffle(shuffled)

    drift = compare(counts)

    assert compare(shuffled) == drift
    assert drift.whole.compared == sum(
        it.agreed + it.denied for it in counts if it.recent
    )
    assert sum(it.compared_before for it in drift.rules) == drift.whole.compared_before
