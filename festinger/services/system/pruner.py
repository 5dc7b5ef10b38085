"""Retention of what is kept for a time only, so that growth has an end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Final

from festinger.config import RetentionSettings
from festinger.store.postgres import PostgresStore
from festinger.store.review.reports import ReportFolders
from festinger.store.system.retention import retention_days

ROWS_MAX: Final = 2_000
"""The number of rows that one transaction deletes: some milliseconds' work."""
PAUSE_SECONDS: Final = 0.1
"""The pause between two transactions, in which others have the disk for themselves."""


@dataclass(eq=False)
class Pruner:
    """Deletion of old rows, in all memories."""

    store: PostgresStore
    settings: RetentionSettings
    reports: ReportFolders
    _: KW_ONLY
    now: Callable[[], float]

    async def look(self) -> None:
        """Delete all rows past their retention period."""
        for tenant in await self.store.tenants():
            for table, days in retention_days(self.settings).items():
                await self._prune(tenant, table, days)
        # Reports of waves are files, not rows.
        await self.reports.prune(self.settings.reports_days, self.now())

    async def _prune(self, tenant: str, table: str, days: int) -> None:
        # A full batch may not be all of them.
        gone = ROWS_MAX
        while gone >= ROWS_MAX:
            gone = await self.store.retention.prune(tenant, table, days, ROWS_MAX)
            # After the last batch, too: the next table or tenant follows at once.
            await asyncio.sleep(PAUSE_SECONDS)
