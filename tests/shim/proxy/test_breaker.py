from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.shim.proxy.breaker import (
    FAILURES_MAX,
    OPEN_SECONDS,
    UpstreamBreaker,
    UpstreamChoice,
    UpstreamState,
)

SOON = OPEN_SECONDS - 0.001


def opened(now=0.0):
    """Return a breaker that just opened."""
    breaker = UpstreamBreaker()
    for _ in range(FAILURES_MAX):
        breaker.begin()
        breaker.fail(now)
    return breaker


def choice(*priorities):
    """As many upstreams, named by their numbers."""
    return UpstreamChoice(
        [UpstreamState(number, each) for number, each in enumerate(priorities)]
    )


def targets(members):
    """Return the names of upstreams."""
    return [member.target for member in members]


@given(st.integers(0, FAILURES_MAX - 1))
def test_few_failures_change_nothing(failures):
    """It is closed until the fifth failure in a row."""
    breaker = UpstreamBreaker()
    for _ in range(failures):
        breaker.fail(0)

    assert breaker.state(0) == "closed"
    assert breaker.lets(0)


def test_success_begins_the_count_anew():
    """Only failures in a row open it."""
    breaker = UpstreamBreaker()
    for _ in range(3):
        for _ in range(FAILURES_MAX - 1):
            breaker.fail(0)
        breaker.succeed()

    assert breaker.state(0) == "closed"


def test_open_breaker_lets_one_try_after_a_while():
    """Nothing for 30 seconds, then one at a time."""
    breaker = opened()

    assert not breaker.lets(SOON)
    assert breaker.state(OPEN_SECONDS) == "half-open"
    assert breaker.lets(OPEN_SECONDS)
    breaker.begin()
    assert not breaker.lets(OPEN_SECONDS)


@pytest.mark.parametrize(
    ("end", "state"), [("succeed", "closed"), ("give_up", "half-open")]
)
def test_try_decides(end, state):
    """An answer closes it; a client who left before decides nothing."""
    breaker = opened()
    breaker.begin()
    getattr(breaker, end)()

    assert breaker.state(OPEN_SECONDS) == state
    assert breaker.lets(OPEN_SECONDS)


def test_failed_try_opens_it_again():
    """For another 30 seconds, from the failure on."""
    breaker = opened()
    breaker.begin()
    breaker.fail(OPEN_SECONDS)

    assert not breaker.lets(OPEN_SECONDS + SOON)
    assert breaker.lets(2 * OPEN_SECONDS)


def test_best_priority_comes_first():
    """The others are asked only if it does not answer, in the order of the file."""
    assert targets(choice(1, 0, 2, 0).candidates(None, 0)) == [1, 3, 0, 2]


def test_least_busy_comes_first():
    """Of equals, the one with less to do."""
    several = choice(0, 0, 0)
    several.members[0].under_way, several.members[1].under_way = 2, 1

    assert targets(several.candidates(None, 0)) == [2, 1, 0]


def test_session_stays():
    """It goes where its prefix is cached, even if another has less to do."""
    several = choice(0, 0)
    several.stick("one", several.members[1])
    several.members[1].under_way = 5

    assert targets(several.candidates("one", 0)) == [1, 0]
    assert targets(several.candidates("other", 0)) == [0, 1]


def test_session_leaves_a_spare():
    """When the preferred upstream is back, sessions return from the spare one."""
    several = choice(0, 1)
    several.stick("one", several.members[1])

    assert targets(several.candidates("one", 0)) == [0, 1]


def test_session_leaves_what_is_down():
    """A cached prefix is no reason to wait for who does not answer."""
    several = choice(0, 0)
    several.stick("one", several.members[0])
    several.members[0].breaker = opened()

    assert targets(several.candidates("one", 0)) == [1]


def test_nothing_is_left():
    """With all of several down, nothing is tried."""
    several = choice(0, 0)
    for member in several.members:
        member.breaker = opened()

    assert several.candidates(None, 0) == []


def test_only_upstream_is_always_tried():
    """A user of one Ollama does not wait half a minute after its restart."""
    single = choice(0)
    single.members[0].breaker = opened()

    assert targets(single.candidates(None, 0)) == [0]
