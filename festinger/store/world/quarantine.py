"""Quarantine of invalid rows, so that the rest of a memory can be served."""

from __future__ import annotations

import json
from typing import Any

import asyncpg

from festinger.core.graph.proposal import StatementSource
from festinger.core.graph.tokens import is_concept
from festinger.core.graph.values import is_value
from festinger.store.graph import ledger
from festinger.store.graph.rows import MODALITIES
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, sql
from festinger.store.system.statement_batch import JoiningConnection
from festinger.store.world.batches import ChangeLogLine


async def sweep(connection: Connection, tenant: str) -> list[str]:
    """Move a tenant's invalid rows to the quarantine table.

    Returns:
        A message for each row.
    """
    # The gate and the constraints keep such rows out, but not out of a restored backup, a
    # database that was changed by hand, or a failing disk.
    await connection.execute(sql("read_whole_tables"))
    # Searched without the lock first, as in nearly every start there is nothing to find.
    if not await _find(connection, tenant):
        return []
    await connection.execute(sql("take_pen"), tenant)
    # Again under the lock: a server may have written in between.
    found = await _find(connection, tenant)
    for table, rows in found.items():
        await _drop(connection, tenant, table, rows)
        await connection.execute(
            sql("keep_aside"),
            tenant,
            table,
            [row["reason"] for row in rows],
            [row["content"] for row in rows],
        )
    places = {row["id"] for rows in found.values() for row in rows}
    joining = JoiningConnection(connection, tenant)
    # A new version, so that other servers drop the rows as well.
    await ledger.bump(joining, ChangeLogLine(places))
    return [
        f"{table}: {row['reason']}; it is set aside in the table quarantine: "
        f"{_short(row['content'])}"
        for table, rows in found.items()
        for row in rows
    ]


async def _find(connection: Connection, tenant: str) -> dict[str, list[asyncpg.Record]]:
    """Return the invalid rows by table."""
    broken = await connection.fetch(
        sql("find_broken_edges"),
        tenant,
        [source.value for source in StatementSource],
        MODALITIES,
    )
    names = [
        row["id"]
        for row in await connection.fetch(sql("find_odd_names"), tenant)
        # The database cannot tokenise: it returns names that look odd, and these decide.
        if not (is_value(row["token"]) or is_concept(row["token"]))
    ]
    # An edge that is broken in two ways is moved once, for the first reason found.
    edges = {_place(row): row for row in broken}
    for row in (
        *await connection.fetch(sql("find_circles"), tenant),
        *(await connection.fetch(sql("find_edges_naming"), tenant, names)),
    ):
        edges.setdefault(_place(row), row)
    found = {
        "urd": list(edges.values()),
        "denials": await connection.fetch(sql("find_denied_facts"), tenant),
        "soas": await connection.fetch(sql("find_broken_words"), tenant),
    }
    return {table: rows for table, rows in found.items() if rows}


async def _drop(
    connection: Connection, tenant: str, table: str, rows: list[asyncpg.Record]
) -> None:
    columns = columns_of(map(_place, rows))
    match table:
        case "urd":
            await connection.execute(sql("drop_edges"), tenant, *columns)
        case "denials":
            await connection.execute(sql("drop_denials"), tenant, *columns)
        case "soas":
            await connection.execute(sql("drop_words"), tenant, columns[0])


def _place(row: asyncpg.Record) -> tuple[int, ...]:
    """Return the key of a row: three numbers of an edge or a denial, one of a word."""
    return tuple(row[key] for key in ("id", "parent_id", "dim_id") if key in row)


def _short(content: str) -> str:
    row: dict[str, Any] = json.loads(content)
    parts = (
        f"{key}={row[key]}"
        for key in ("id", "parent_id", "dim_id", "token", "source")
        if key in row
    )
    return ", ".join(parts)[:200]
