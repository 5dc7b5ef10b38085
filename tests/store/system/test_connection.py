from __future__ import annotations

import datetime

from asyncpg.connection import LoggedQuery


async def queries_for(pool, text, value):
    """The queries that a new connection needs to run one with a value, and the result."""
    asked: list[LoggedQuery] = []
    async with pool.acquire() as connection:
        connection.add_query_logger(asked.append)
        result = await connection.fetchval(text, value)
        await connection.close()
    return [each.query for each in asked], result


async def test_arrays_of_built_in_types_are_asked_for_once(pool):
    """Further connections know how they are encoded, and run nothing but the query."""
    days = [datetime.date(2026, 1, 5)]
    text = "select $1::date[]"
    await queries_for(pool, text, days)

    asked, result = await queries_for(pool, text, days)

    assert (asked, result) == ([text], days)


async def test_types_of_a_database_are_asked_for_by_each_connection(pool):
    """Their numbers are those of another type elsewhere."""
    await pool.execute("create type mood as enum ('calm', 'cross')")
    text = "select $1::mood[]"
    await queries_for(pool, text, ["calm"])

    asked, result = await queries_for(pool, text, ["cross"])

    assert len(asked) > 1
    assert result == ["cross"]
