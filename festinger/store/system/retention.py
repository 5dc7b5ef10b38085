"""Deletion of rows that are too old, in batches that nobody notices."""

from __future__ import annotations

from typing import Final

from festinger.config import RetentionSettings
from festinger.store.system.tenancy import TenantTables

PRUNE: Final = {
    "requests": "prune_requests",
    "rejections": "prune_rejections",
    "model_usage": "prune_usage",
    "urd_history": "prune_history",
}
"""By table, the query that deletes a batch of its old rows."""


def retention_days(settings: RetentionSettings) -> dict[str, int]:
    """Return by table of `PRUNE` after how many days its rows are deleted."""
    return {
        "requests": settings.requests_days,
        "rejections": settings.rejections_days,
        "model_usage": settings.usage_days,
        "urd_history": settings.history_days,
    }


class PostgresRetention(TenantTables):
    """Old rows of the database; the caller closes the pool."""

    async def prune(self, tenant: str, table: str, days: int, limit: int) -> int:
        """Delete a batch of a table's rows older than some days; return their number.

        Args:
            table: A key of `PRUNE`.
            limit: The number of rows to delete, and those that ended with the last.
        """
        # A transaction for each batch, so that locks are held briefly.
        gone: int = await self._value(PRUNE[table], tenant, days, limit)
        return gone
