"""`festinger system tenant`, on a database of one's own."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests import forks


@pytest.fixture
def tenant(database, tmp_path):
    """Run a command on the test's database; return its code and what it printed."""

    async def run(*words):
        code, printed, _ = await asyncio.to_thread(
            forks.run,
            *("system", "tenant", *words),
            *("--dsn", database, "--data-dir", str(tmp_path)),
            environment=os.environ,
            together=True,
        )
        return code, printed

    return run


async def test_tenants_are_assigned_and_moved(tenant):
    """The list is what a router reads; `any` gives a memory back to all servers."""
    added = await tenant("add", "acme")
    assigned = await tenant("assign", "acme", "eu-1")
    moved = await tenant("move", "eu-1", "10.0.0.7:7700")
    listed = await tenant("list")
    freed = await tenant("assign", "acme", "any")
    in_json = await tenant("list", "--json")

    assert added == (0, "added acme\n")
    assert assigned == (0, "eu-1 serves acme\n")
    assert moved == (0, "10.0.0.7:7700 serves acme\n")
    assert listed == (0, "acme 10.0.0.7:7700\ndefault any\n")
    assert freed == (0, "any serves acme\n")
    assert '{"name": "acme", "server": ""}' in in_json[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["assign", "acem", "eu-1"], "there is no tenant 'acem'"),
        (["assign", "default", "eu 1"], "server.name"),
        (["move", "eu-9", "eu-1"], "no memory is assigned to eu-9"),
    ],
)
async def test_names_that_are_none_are_said(tenant, words, told):
    """Nothing is changed."""
    _, printed = await tenant(*words)

    assert told in printed
    assert await tenant("list") == (0, "default any\n")
