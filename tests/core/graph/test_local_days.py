"""Days are those of the machine's time zone, which is where people speak."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from festinger.core.graph.values.dates import resolve_days
from festinger.core.language.future_times import start_of
from festinger.core.lines.quotes import day_of

EVENING = datetime(2026, 11, 28, 1, 30, tzinfo=UTC).timestamp()
"""27 November, 20:30, in New York."""


@pytest.fixture(autouse=True)
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the machine in New York."""
    with monkeypatch.context() as context:
        context.setenv("TZ", "America/New_York")
        time.tzset()
        yield
    time.tzset()


def test_tomorrow_is_the_day_after_the_speakers_today():
    """In UTC it is the 28th already when they say it."""
    text = "the dentist is tomorrow"
    assert resolve_days(text, EVENING) == "the dentist is tomorrow [28 Nov]"


def test_a_line_has_the_day_on_which_it_was_said():
    """As the clock on their wall shows it."""
    assert day_of(EVENING, EVENING) == "27 Nov"


def test_what_begins_on_a_day_begins_at_their_midnight():
    """Five hours after that of UTC."""
    start = start_of("the rent is 1240 from 1 December", EVENING)
    assert start == datetime(2026, 12, 1, 5, tzinfo=UTC).timestamp()
