"""The right to do what one process does at a time, in each memory."""

from __future__ import annotations

import uuid
from typing import ClassVar

from festinger.store.system.pool import Pool, acquired
from festinger.store.system.queries import sql


class Leased:
    """Keeps something that one process at a time works on.

    Args:
        pool: Closed by whoever opened it.

    Attributes:
        lease: What the right is called in the database.
    """

    lease: ClassVar[str]

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._holder = uuid.uuid4()

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Takes or extends the right; False if another process has it."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(
                sql("take_lease"), tenant, self.lease, self._holder, seconds
            )
        return row is not None

    async def drop_lease(self, tenant: str) -> None:
        """Gives the right back."""
        async with acquired(self._pool) as connection:
            await connection.execute(
                sql("drop_lease"), tenant, self.lease, self._holder
            )
