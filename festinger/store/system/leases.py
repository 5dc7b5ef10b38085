"""Named leases, each held by one process at a time per memory."""

from __future__ import annotations

import uuid
from typing import ClassVar

from festinger.store.system.pool import Pool
from festinger.store.system.queries import sql
from festinger.store.system.tenancy import transaction


class Leased:
    """Base of stores whose work is done by one process at a time.

    Args:
        pool: The connection pool; closed by the caller.

    Attributes:
        lease_name: The name of the lease in the database.
    """

    lease_name: ClassVar[str]

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        # Another process, or this one after a restart, is another holder.
        self._holder = uuid.uuid4()

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Acquire or extend the lease; return False if another process holds it."""
        async with transaction(self._pool, tenant) as connection:
            # By the database's clock. Without a row, another holder's lease has not run out.
            row = await connection.fetchrow(
                sql("take_lease"), tenant, self.lease_name, self._holder, seconds
            )
        return row is not None

    async def drop_lease(self, tenant: str) -> None:
        """Release the lease."""
        async with transaction(self._pool, tenant) as connection:
            await connection.execute(
                sql("drop_lease"), tenant, self.lease_name, self._holder
            )
