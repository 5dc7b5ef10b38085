"""What predicates are in the graph, in Postgres."""

from __future__ import annotations

from festinger.core.predicates import Predicate, Registry
from festinger.errors import InvalidArgument
from festinger.store.pool import Pool, acquired
from festinger.store.queries import sql


class PostgresPredicates:
    """Keeps predicates in the database.

    Args:
        pool: Closed by whoever opened it.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def load(self, tenant: str) -> tuple[Registry, list[str]]:
        """A tenant's predicates, and a sentence for each that cannot be used."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("predicates"), tenant)
        own, complaints = [], []
        for row in rows:
            try:
                own.append(Predicate.checked(**row))
            except InvalidArgument as error:
                complaints.append(f"the predicate {row['uri']!r} is left out: {error}")
        return Registry(own), complaints
