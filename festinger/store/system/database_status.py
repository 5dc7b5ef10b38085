"""The condition of a database: its server, its queues and its size."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from festinger.store.graph.rows import to_seconds
from festinger.store.migrations import HEAD, revision_of
from festinger.store.system.backup import connected
from festinger.store.system.queries import sql
from festinger.store.system.values import value_of


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
