"""Reads and writes of the origins of statements: the words they were read from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import asyncpg

from festinger.core.graph.origins import StatementKind, StatementOrigin, StatementReader
from festinger.core.lines.endings import EndedStatement
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, fields_of, sql
from festinger.store.system.statement_batch import JoiningConnection


async def add(
    connection: JoiningConnection, origins: Mapping[int, StatementOrigin]
) -> None:
    """Add the origins of statements, by row of the ledger."""
    if not origins:
        return
    rows = [_columns(number, origin) for number, origin in origins.items()]
    await connection.later("add_origins", *columns_of(rows))


async def read_all(
    connection: Connection, tenant: str
) -> tuple[dict[int, StatementOrigin], list[tuple[EndedStatement, int]]]:
    """Read all origins.

    Returns:
        The origins by row of the ledger, and the closed statements among them in the
        order in which they ended, each with the row that replaced it (0: none).
    """
    rows = await connection.fetch(sql("origins"), tenant)
    # Without those of statements that are held again.
    ended = await connection.fetch(sql("origins_of_ended"), tenant)
    found = {row["assertion_id"]: to_origin(row) for row in rows}
    return found, [
        (
            EndedStatement(
                row["assertion_id"],
                found[row["assertion_id"]],
                (row["id"], row["dim_id"], row["parent_id"]),
            ),
            row["successor"],
        )
        for row in ended
    ]


async def read(
    connection: Connection, tenant: str, numbers: Collection[int]
) -> dict[int, StatementOrigin]:
    """Return the origins of some statements, by row of the ledger."""
    if not numbers:
        return {}
    rows = await connection.fetch(sql("origins_of"), tenant, list(numbers))
    return {row["assertion_id"]: to_origin(row) for row in rows}


async def forget(
    connection: Connection,
    tenant: str,
    erased: Collection[tuple[str, str]],
    before: float,
) -> dict[int, int]:
    """Delete the origins that quote forgotten sentences.

    Args:
        erased: Sentences with their speakers.
        before: Time before which quotes are erased, in seconds since the epoch; 0 for
            none.

    Returns:
        The concept of each statement whose origin was deleted, by row of the ledger.
    """
    rows = []
    if erased:
        texts, speakers = columns_of(erased)
        # With the speaker: what another one said in the same words stays.
        rows += await connection.fetch(sql("erase_origins"), tenant, texts, speakers)
    if before:
        rows += await connection.fetch(sql("drop_old_origins"), tenant, to_time(before))
    return {row["assertion_id"]: row["concept_id"] for row in rows}


def _columns(number: int, origin: StatementOrigin) -> tuple[Any, ...]:
    return (
        number,
        *fields_of(origin, "quote speaker principal project session"),
        to_time(origin.said),
        origin.turn_digest or None,  # None: not read from a turn
        origin.reader,
        origin.kind,
        # One a line, as Postgres splits them again; a topic's own line breaks become spaces.
        "\n".join(" ".join(topic.split()) for topic in origin.topics) or None,
        origin.subject,
        origin.value,
    )


def to_origin(row: asyncpg.Record) -> StatementOrigin:
    """Convert a row to the origin of a statement."""
    return StatementOrigin(
        quote=row["quote"],
        speaker=row["speaker"],
        principal=row["principal"],
        project=row["project"],
        session=row["session"],
        said=to_seconds(row["said_at"]),
        turn_digest=row["turn_digest"] or b"",  # null: see `_columns`
        reader=StatementReader(row["reader"]),
        kind=StatementKind(row["kind"]),
        topics=tuple(row["topics"] or ()),
        subject=row["subject"],
        value=row["value"],
    )
