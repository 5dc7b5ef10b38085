"""Frequency of questions to people, on days of any length."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.validation.limits import (
    DailyAllowance,
    WaitingPosting,
    choose,
    day_of,
)
from festinger.core.validation.questions import QuestionTarget

HOUR = 3600.0
BERLIN = "Europe/Berlin"
ZONES = [
    "UTC", BERLIN, "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
    "America/Havana", "Asia/Beirut", "Pacific/Apia",
]  # fmt: skip
SPOTS = [
    QuestionTarget("alice"),
    QuestionTarget("bob"),
    QuestionTarget(channel="matrix:!a"),
    QuestionTarget(channel="slack:C"),
]

waitings = st.builds(
    WaitingPosting,
    st.integers(1, 10_000),
    st.sampled_from(SPOTS),
    st.just(0),
    st.just(False),
)


def at(text: str) -> float:
    """Return a moment of UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def allowance(**spent: int) -> DailyAllowance:
    """Return three a person and ten a channel, less what was asked of some."""
    return DailyAllowance(
        3, 10, Counter({QuestionTarget(name): n for name, n in spent.items()})
    )


@pytest.mark.parametrize(
    ("moment", "hours"),
    [
        ("2026-01-15T12:00", 24),
        ("2026-03-29T12:00", 23),  # summer time begins
        ("2026-10-25T12:00", 25),  # and ends
    ],
)
def test_a_day_has_its_hours(moment, hours):
    """From midnight to midnight where people live."""
    begin, end = day_of(at(moment), BERLIN)

    assert (end - begin) / HOUR == hours
    assert begin <= at(moment) < end


@given(st.floats(0, 2**32), st.sampled_from(ZONES))
def test_every_moment_is_in_one_day(now, zone):
    """And the next day begins where it ends."""
    begin, end = day_of(now, zone)

    assert begin <= now < end
    assert day_of(begin, zone) == (begin, end)
    assert day_of(end, zone)[0] == end
    # A day that a country left out is part of none.
    assert 0 < end - begin <= 49 * HOUR


def test_a_person_gets_three_and_a_channel_ten():
    """Whatever was asked before counts."""
    person, channel = SPOTS[0], SPOTS[2]
    left = allowance(alice=1)

    assert [left.take(person) for _ in range(4)] == [True, True, False, False]
    assert sum(left.take(channel) for _ in range(20)) == 10
    assert left.left(person) == 0


def test_what_is_critical_is_asked_all_the_same():
    """And counts for what comes after it."""
    left = allowance(alice=2)

    assert left.take(SPOTS[0], critical=True)
    assert not left.take(SPOTS[0])
    assert left.take(SPOTS[0], critical=True)


def test_a_digest_is_one_and_is_not_torn_apart():
    """Twenty questions in a message are one message."""
    digest = [WaitingPosting(n, SPOTS[0], 7) for n in range(20)]
    others = [WaitingPosting(100 + n, SPOTS[0]) for n in range(5)]

    chosen = choose([*digest, *others], allowance(), 22)

    assert chosen == [*range(20), 100, 101]


def test_a_digest_that_is_too_many_for_a_day_waits_as_a_whole():
    """Nobody gets a part of it."""
    digest = [WaitingPosting(n, SPOTS[0], 7) for n in range(20)]

    assert choose(digest, allowance(alice=3), 20) == []


@given(
    st.lists(
        st.tuples(st.floats(0, 12 * HOUR), st.lists(waitings, max_size=8)), max_size=30
    ),
    st.sampled_from(ZONES),
    st.floats(at("2026-03-20T00:00"), at("2026-11-10T00:00")),
)
def test_nobody_is_asked_too_often_on_any_day(schedule, zone, now):
    """Whenever whoever asks, over summer time and through midnight."""
    asked: list[tuple[float, QuestionTarget]] = []
    for pause, waiting in schedule:
        now += pause
        begin, _ = day_of(now, zone)
        spent = Counter(spot for moment, spot in asked if moment >= begin)
        unique = {each.id: each for each in waiting}
        chosen = choose(unique.values(), DailyAllowance(3, 10, spent), 20)
        asked += [(now, unique[number].spot) for number in chosen]

    days = Counter((day_of(moment, zone), spot) for moment, spot in asked)
    assert all(
        count <= (3 if spot.recipient else 10) for (_, spot), count in days.items()
    )


@given(st.lists(waitings, unique_by=lambda it: it.id), st.integers(1, 30))
def test_who_comes_first_is_served_first(waiting, most):
    """An item is left out for a reason."""
    chosen = choose(waiting, allowance(), most)

    assert len(chosen) <= most
    assert list(chosen) == [it.id for it in waiting if it.id in set(chosen)]
    if len(chosen) < most:
        counts = Counter(it.spot for it in waiting)
        full = sum(min(n, 3 if spot.recipient else 10) for spot, n in counts.items())
        assert len(chosen) == full
