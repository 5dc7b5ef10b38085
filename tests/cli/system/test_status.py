"""`festinger system status` shows sizes, and a forecast."""

from __future__ import annotations

import json

import pytest

from festinger.config import load
from festinger.store.system.database_status import TableSize, keep_days
from tests.cli.conftest import Operator
from tests.databases import command


async def test_sizes_and_growth_are_shown(operator: Operator, database: str) -> None:
    """The largest table first, each with its rows of a day and how long they are kept."""
    await command(
        database,
        "update tenants set created_at = now() - interval '30 days';"
        "insert into requests (tenant, principal, request_id, method, payload_hash,"
        " response) select 'default', 'a', n::text, 'm', '', '{}'"
        " from generate_series(1, 700) n; analyze requests",
    )

    code, printed, _ = await operator.runs(
        "system", "status", "--json", FESTINGER_DSN=database
    )

    sizes = {it["name"]: it for it in map(json.loads, printed.splitlines())}
    assert code == 0
    assert sizes["requests"]["rows"] == 700
    assert sizes["requests"]["rows_a_day"] == 100
    assert sizes["requests"]["keep_days"] == 30
    assert sizes["requests"]["forecast"] > sizes["requests"]["bytes"]
    assert "write_queue" not in sizes


async def test_table_is_for_people(operator: Operator, database: str) -> None:
    """With the sum at the end."""
    _, printed, complained = await operator.runs(
        "system", "status", FESTINGER_DSN=database
    )

    assert complained == ""
    assert "assertions" in printed
    assert "in 30 days at this pace" in printed.splitlines()[-1]


async def test_database_that_does_not_run_is_not_started(operator: Operator) -> None:
    """A look changes nothing."""
    code, _, complained = await operator.runs("system", "status")

    assert (code, "has no database yet" in complained) == (1, True)
    assert not (operator.data_dir / "postgres").exists()


@pytest.mark.parametrize(
    ("size", "forecast"),
    [
        (TableSize("t", 1000, 100), 1000),
        (TableSize("t", 1000, 100, 10.0), 4000),
        (TableSize("t", 1000, 100, 10.0, 20), 2000),
        (TableSize("t", 1000, 100, 10.0, 10), 1000),
        (TableSize("t", 8192, 0, 10.0), 8192),
    ],
)
def test_growth_ends_where_rows_are_deleted(size: TableSize, forecast: int) -> None:
    """At the same pace, no more rows than those of the days for which they are kept."""
    assert size.forecast == forecast


def test_days_are_those_of_the_settings() -> None:
    """Of what people say as well as of what programs leave."""
    values = {"memory": {"keep_days": 7}, "retention": {"requests_days": 8}}
    days = keep_days(load(overrides=values, environment={}))

    assert (days["turns"], days["requests"]) == (7, 8)
