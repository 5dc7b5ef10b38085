"""The year that `benchmarks.year` lives through."""

from __future__ import annotations

import shutil
import sys

import pytest

from benchmarks import year
from benchmarks.clocks import moved_clock
from benchmarks.writing import new_postgres

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux" or shutil.which("gcc") is None,
        reason="the clock of Postgres is moved by preloading what gcc makes of it",
    ),
]


async def test_postgres_runs_by_the_moved_clock():
    """The database's time is that of the clock, before and after it was moved."""
    ask = "select extract(epoch from clock_timestamp())::float8"
    with moved_clock() as clock:
        async with new_postgres() as pool:
            behind = [clock.now() - await pool.fetchval(ask)]
            clock.advance(365 * 86_400)
            behind.append(clock.now() - await pool.fetchval(ask))

    assert [abs(seconds) < 60 for seconds in behind] == [True, True]


def test_what_is_too_old_is_gone_at_the_end_of_the_year():
    """With half a year between two days, only what was said on the last of them is told."""
    part = year.measure(prompts=1, days=2)
    figures = {row.key: row.value for row in part.rows}

    assert 0 < figures["year.year.lines"] < 1.5 * figures["year.half.lines"]
