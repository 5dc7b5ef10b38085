"""Deletion of rows that are too old, in batches that nobody notices."""

from __future__ import annotations

from typing import Final

from festinger.store.system.pool import Pool
from festinger.store.system.queries import sql
from festinger.store.system.tenancy import transaction

PRUNE: Final = {
    "requests": sql("prune_requests"),
    "rejections": sql("prune_rejections"),
    "usage": sql("prune_usage"),
    "history": sql("prune_history"),
}
"""By kind of rows, the query that deletes a batch of them."""


class PostgresRetention:
    """Old rows of the database; the caller closes the pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def prune(self, tenant: str, kind: str, days: int, limit: int) -> int:
        """Delete a batch of the rows of a kind that are older than some days.

        Args:
            kind: A key of `PRUNE`.
            days: The retention period, by the database's clock.
            limit: The number of rows to delete, and those that ended with the last.

        Returns:
            The number of rows that were deleted.
        """
        # A transaction for each batch, so that locks are held briefly.
        async with transaction(self._pool, tenant) as connection:
            gone: int = await connection.fetchval(PRUNE[kind], tenant, days, limit)
        return gone
