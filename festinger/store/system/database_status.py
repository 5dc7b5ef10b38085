"""The condition of a database: its server, its queues and its size."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from festinger.config import Settings
from festinger.errors import DatabaseUnavailable
from festinger.store.graph.rows import to_seconds
from festinger.store.migrations import HEAD, revision_of, tables
from festinger.store.system.backup import connected
from festinger.store.system.queries import sql, value_of
from festinger.store.system.retention import retention_days


class QueueAge(NamedTuple):
    """State of a queue.

    Attributes:
        queue: Its name.
        waiting: The number of items that wait.
        seconds: The age of the oldest, in seconds.
    """

    queue: str
    waiting: int
    seconds: float


@dataclass(frozen=True, slots=True)
class DatabaseCondition:
    """The condition of a database.

    Attributes:
        major: The major version of PostgreSQL.
        schema: The revision of the schema; None if there is none.
        skew_seconds: How far its clock is ahead of ours, in seconds.
        is_replica: Whether it is a read-only copy of another one.
        connections: The number of connections of all clients.
        connections_max: The most that it permits.
        replicas: The number of its replicas.
        lag_seconds: How far the slowest replica is behind, in seconds.
        queues: What waits; empty if the schema is not the one of this version.
    """

    major: int
    schema: str | None
    skew_seconds: float
    is_replica: bool
    connections: int
    connections_max: int
    replicas: int
    lag_seconds: float
    queues: list[QueueAge] = field(default_factory=list)


async def condition_of(dsn: str) -> DatabaseCondition:
    """Return the condition of a database.

    Raises:
        ConfigurationError: It refuses the connection.
        DatabaseUnavailable: It does not answer.
    """
    async with connected(dsn) as connection:
        before = time.time()
        row = await connection.fetchrow(sql("database_condition"))
        now = time.time()
        assert row is not None, "it has no condition"
        schema = await revision_of(connection)
        # Another schema may lack tables or columns that the query reads.
        ages = await connection.fetch(sql("queue_ages")) if schema == HEAD else []
        queues = [
            QueueAge(
                each["queue"],
                each["waiting"],
                now - to_seconds(each["oldest"]) if each["oldest"] else 0.0,
            )
            for each in ages
        ]
        # The answer was made somewhere between the two readings of our clock.
        skew = row["clock"] - min(max(row["clock"], before), now)
        return value_of(
            DatabaseCondition,
            row,  # its lag is null where there are no replicas
            major=connection.get_server_version().major,
            schema=schema,
            skew_seconds=skew,
            queues=queues,
        )


FORECAST_DAYS: Final = 30


class TableSize(NamedTuple):
    """The size of a table.

    Attributes:
        bytes: Its size on the disk with its indexes, in bytes.
        rows: The number of its rows, as the database estimates it.
        rows_a_day: How many were added a day in the last week; 0 if its growth has
            another limit.
        keep_days: After how many days its rows are deleted; None for never.
    """

    name: str
    bytes: int
    rows: int
    rows_a_day: float = 0.0
    keep_days: int | None = None

    @property
    def forecast(self) -> int:
        """The size in `FORECAST_DAYS` at the same pace, in bytes."""
        # Without rows, or before the first `analyze`, there is no size per row.
        if not self.rows:
            return self.bytes
        more = self.rows_a_day * FORECAST_DAYS
        # Rows that are deleted after some days add up for as long only.
        if self.keep_days is not None:
            more = min(more, max(0.0, self.rows_a_day * self.keep_days - self.rows))
        return round(self.bytes + more * self.bytes / self.rows)


def keep_days(settings: Settings) -> dict[str, int]:
    """Return by table after how many days its rows are deleted."""
    # By table, what settings delete by age; growth of other tables has no end.
    return {
        **retention_days(settings.retention),
        "turns": settings.memory.keep_days,
        "unread_turns": settings.memory.keep_days,
    }


async def sizes_of(dsn: str, settings: Settings) -> list[TableSize]:
    """Return the sizes of all tables, the largest first.

    Raises:
        ConfigurationError: The database refuses the connection.
        DatabaseUnavailable: It does not answer, or has no memory of this version.
    """
    days = keep_days(settings)
    async with connected(dsn) as connection:
        sizes = await connection.fetch(sql("table_sizes"), sorted(tables()))
        # The next query names tables that an older schema may lack.
        if await revision_of(connection) != HEAD:
            raise DatabaseUnavailable(
                "the database has no memory of this version yet; start the server once"
            )
        growth = {
            row["name"]: row["rows"] / row["days"]
            for row in await connection.fetch(sql("table_growth"))
            if row["days"]  # null without any memory
        }
    return [
        value_of(
            TableSize,
            row,
            rows_a_day=growth.get(row["name"], 0.0),
            keep_days=days.get(row["name"]),
        )
        for row in sizes
    ]
