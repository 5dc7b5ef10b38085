"""Work of statements on tables that have no statistics yet, as behind an import."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from festinger.store.system.queries import sql
from festinger.store.system.tenancy import transaction
from festinger.store.world import quarantine
from festinger.store.world.loading import news
from tests.memories import stated
from tests.store.world.writing import write

FACTS = 500

ROWS_READ = """
select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer
from pg_stat_xact_user_tables where relname in ('urd', 'soas')
"""


@pytest.fixture
async def world(store):
    """A memory of many facts, of which the last one is younger by a version."""
    world = await store.load("default")
    facts = [stated(f"name{number}x -isa kind{number % 9}x") for number in range(FACTS)]
    await write(store, world, *facts)
    await write(store, world, stated("tail -ispart dog"))
    return world


class ExplainingConnection:
    """A connection that counts the rows that its statements read, join and leave out."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.execute = connection.execute
        self.rows = 0.0

    async def fetch(self, text: str, *arguments: Any) -> Any:
        """Run a query twice, first to count its rows."""
        explained = f"explain (analyze, costs off, timing off, format json) {text}"
        plan = json.loads(await self._connection.fetchval(explained, *arguments))
        self.rows += sum(map(_rows, _nodes(plan[0]["Plan"])))
        return await self._connection.fetch(text, *arguments)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for each in plan.get("Plans", ()):
        yield from _nodes(each)


def _rows(node: dict[str, Any]) -> float:
    """Return how many rows a node of a plan saw."""
    left_out = ("Rows Removed by Filter", "Rows Removed by Join Filter")
    rows = node["Actual Rows"] + sum(node.get(key, 0) for key in left_out)
    return float(rows * node["Actual Loops"])


@pytest.fixture
async def counted(pool):
    """Run a read or write of a connection; return its answer and how many rows it read."""

    async def run(statement: Callable[[Any], Awaitable[Any]]) -> tuple[Any, int]:
        async with transaction(pool, "default") as connection:
            before = await connection.fetchval(ROWS_READ)
            answer = await statement(connection)
            return answer, await connection.fetchval(ROWS_READ) - before

    return run


async def test_news_read_what_changed_only(counted, world):
    """The news of another server are found by their keys, however much the memory holds."""
    found, rows = await counted(lambda it: news(it, "default", world.version - 1))

    assert [edge.concept_id for edge in found.edges] == [world.id("tail")]
    assert rows < FACTS / 10


async def test_a_check_for_circles_climbs_from_new_facts_only(counted, world):
    """A new fact about a known concept is followed upwards, and nothing else is read."""
    (edge,) = world.graph.of(world.id("tail"))
    keys = [edge.concept_id], [edge.parent_id], [edge.dim_id], [edge.concept_id]

    found, rows = await counted(
        lambda it: it.fetch(sql("find_contradictions"), "default", *keys)
    )

    assert found == []
    assert rows < FACTS / 10


async def test_a_sweep_compares_no_row_with_all_others(pool, world):
    """The search for invalid rows grows with the memory, not with its square."""
    async with transaction(pool, "default") as connection:
        explaining: Any = ExplainingConnection(connection)
        found = await quarantine.sweep(explaining, "default")

    assert found == []
    assert FACTS < explaining.rows < FACTS**2 / 10
