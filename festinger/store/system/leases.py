"""Named leases, each held by one process at a time per memory."""

from __future__ import annotations

import uuid
from typing import ClassVar

from festinger.store.system.pool import Pool
from festinger.store.system.queries import sql
from festinger.store.system.tables import TenantTables


class Leased(TenantTables):
    """Base of stores whose work is done by one process at a time.

    Args:
        pool: The connection pool; closed by the caller.

    Attributes:
        lease_name: The name of the lease in the database.
    """

    lease_name: ClassVar[str]

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        # Another process, or this one after a restart, is another holder.
        self._holder = uuid.uuid4()

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Acquire or extend the lease; return False if another process holds it."""
        # By the database's clock. Without a row, another holder's lease has not run out.
        row = await self._row(
            sql("take_lease"), tenant, self.lease_name, self._holder, seconds
        )
        return row is not None

    async def drop_lease(self, tenant: str) -> None:
        """Release the lease."""
        await self._run(sql("drop_lease"), tenant, self.lease_name, self._holder)
