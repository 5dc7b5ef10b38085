"""When everything goes to moderators."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.values.dates import DAY
from festinger.core.validation.breaker import (
    ReversalBreaker,
    ReversalCounts,
    judge,
    since,
)
from festinger.core.validation.policy import ValidationPolicy

POLICY = ValidationPolicy(reversed_max=0.2, reversed_min=5, breaker_seconds=DAY)
NOW = 1_000_000.0


def test_opens_where_enough_and_too_large_a_share_was_reversed():
    """Either alone is not enough."""
    few, small, both = (
        judge(ReversalBreaker(), ReversalCounts(*it), POLICY, NOW)
        for it in ((4, 4), (20, 100), (21, 100))
    )

    assert few == small == ReversalBreaker()
    assert both.open_until == NOW + 86_400
    assert both.reason == (
        "21 of 100 facts that people confirmed were reversed within a day (21%)"
    )


def test_closes_by_itself():
    """When its time is over, whoever looks: nobody has to close it."""
    opened = judge(ReversalBreaker(), ReversalCounts(9, 9), POLICY, NOW)
    end = opened.open_until

    assert opened.is_open(end - 1)
    assert not opened.is_open(end)
    assert judge(opened, ReversalCounts(0, 5), POLICY, end) == ReversalBreaker(end, "")


def test_stays_open_by_half_the_share():
    """At its end what was reversed meanwhile counts twice as much as otherwise."""
    opened = judge(ReversalBreaker(), ReversalCounts(9, 9), POLICY, NOW)
    end = opened.open_until
    some = ReversalCounts(15, 100)

    again = judge(opened, some, POLICY, end)

    assert judge(ReversalBreaker(), some, POLICY, end) == ReversalBreaker()
    assert again.open_until == end + 86_400
    assert again.reason.startswith("still, 15 of 100")


def test_what_opened_it_does_not_open_it_again():
    """Once it is open only what is reversed since then counts."""
    opened = judge(ReversalBreaker(), ReversalCounts(9, 9), POLICY, NOW)
    end = opened.open_until
    closed = judge(opened, ReversalCounts(0, 0), POLICY, end)

    assert since(ReversalBreaker(), POLICY, NOW) == NOW - DAY
    assert since(opened, POLICY, end) == NOW
    assert since(closed, POLICY, end + 60) >= NOW


@given(
    st.lists(
        st.tuples(st.floats(1, 200_000), st.integers(0, 30), st.integers(0, 30)),
        max_size=30,
    )
)
def test_whatever_happens_it_is_open_for_a_reason_and_not_for_ever(steps):
    """While it is open its reason stands and its end does not move; a quiet day closes it."""
    breaker, now = ReversalBreaker(), NOW
    for wait, reversed_, others in steps:
        now += wait
        before = breaker
        breaker = judge(
            breaker, ReversalCounts(reversed_, reversed_ + others), POLICY, now
        )
        assert bool(breaker.reason) == breaker.is_open(now)
        if before.is_open(now):
            assert breaker == before
        assert breaker.open_until <= now + POLICY.breaker_seconds
        assert since(breaker, POLICY, now) <= now

    quiet = judge(breaker, ReversalCounts(0, 9), POLICY, now + POLICY.breaker_seconds)
    assert not quiet.is_open(now + POLICY.breaker_seconds)
