"""Registered and suggested predicates, in Postgres."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field

from festinger.core.graph.predicates import Predicate, Registry
from festinger.core.world.world import World
from festinger.errors import InvalidArgument
from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql
from festinger.store.system.tenancy import TenantTables, transaction
from festinger.store.validation.records import PredicateSuggestion
from festinger.store.world.batches import AggregateWrites, BatchTransaction

RECURRING_MIN = 2
"""The number of occurrences from which a predicate is suggested."""


@dataclass(slots=True)
class PredicateWrites(AggregateWrites):
    """Writes of definitions of predicates.

    Attributes:
        defined: The predicates, each with who defines it.
        registry: The registry that has them.
    """

    defined: list[tuple[Predicate, str]] = field(default_factory=list)
    registry: Registry = field(default_factory=Registry)

    async def write(self, transaction: BatchTransaction) -> None:
        """Register or update the predicates."""
        connection, tenant = transaction.connection, transaction.tenant
        for predicate, principal in self.defined:
            await connection.execute(
                sql("set_predicate"),
                tenant,
                *fields_of(predicate, "uri dimension is_isa question cardinality"),
                list(predicate.wording.synonyms),
                principal,
                transaction.now,
            )
            # Whoever registers a predicate has accepted its suggestion.
            await connection.fetchval(
                sql("close_suggestion"),
                tenant,
                predicate.uri,
                "accepted",
                transaction.now,
            )
        # Other servers read the predicates together with the notes.
        transaction.log.notes = True

    def publish(self, world: World, version: int) -> None:
        """Judge by the new definitions from now on."""
        world.predicates = self.registry


async def read_registry(
    connection: Connection, tenant: str
) -> tuple[Registry, list[str]]:
    """Return a tenant's predicates, and a message for each invalid one."""
    own, complaints = [], []
    for row in await connection.fetch(sql("predicates"), tenant):
        try:
            # A row that was written by hand must not keep the memory from loading.
            own.append(Predicate.checked(**row))
        except InvalidArgument as error:
            complaints.append(f"the predicate {row['uri']!r} is left out: {error}")
    return Registry(own), complaints


class PostgresPredicates(TenantTables):
    """Store of predicates in the database; the caller closes the pool."""

    async def load(self, tenant: str) -> tuple[Registry, list[str]]:
        """Return a tenant's predicates, and a message for each invalid one."""
        async with transaction(self._pool, tenant) as connection:
            return await read_registry(connection, tenant)

    async def suggested(
        self, tenant: str, registered: Collection[str], now: float
    ) -> list[PredicateSuggestion]:
        """Return the suggested predicates, the most frequent first."""
        known = list(registered)
        async with transaction(self._pool, tenant) as connection:
            # Counted when somebody asks, which is seldom, and not with each answer.
            await connection.execute(
                sql("count_suggestions"), tenant, known, to_time(now)
            )
            rows = await connection.fetch(
                sql("suggestions"), tenant, RECURRING_MIN, known
            )
        return [
            PredicateSuggestion(row["uri"], row["count"], json.loads(row["examples"]))
            for row in rows
        ]

    async def dismiss(self, tenant: str, uri: str, now: float) -> bool:
        """Dismiss the suggestion of a predicate; return False if there is none."""
        found = await self._value(
            "close_suggestion", tenant, uri, "dismissed", to_time(now)
        )
        return found is not None
