"""The directory: which tenants this server serves."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.errors import ServedElsewhere
from festinger.store.postgres import PostgresStore


class Directory:
    """The directory as one server reads it.

    Args:
        server: The name of this server; without one it serves tenants that are
            assigned to none.
    """

    def __init__(self, store: PostgresStore, server: str = "") -> None:
        self._store = store
        self._server = server

    def gives(self, server: str) -> bool:
        """Return whether this server serves what is assigned to a name."""
        # A tenant without an assignment is served by all: servers without names share it.
        return server in ("", self._server)

    async def served(self, tenants: Sequence[str]) -> list[str]:
        """Return those of some tenants that this server serves."""
        if not tenants:
            # Most looks find no work: no query then.
            return []
        heads = await self._store.heads(tenants)
        # A tenant that was deleted has no head.
        return [it for it in tenants if it in heads and self.gives(heads[it].server)]

    async def require(self, tenant: str) -> None:
        """Require that no other server serves a tenant. Raises `ServedElsewhere`."""
        head = (await self._store.heads([tenant])).get(tenant)
        # A tenant that does not exist is an error of whoever loads it.
        if head is not None and not self.gives(head.server):
            raise ServedElsewhere(
                f"the server {head.server!r} serves the tenant {tenant!r}, and this is "
                f"{self._server or 'one without a name'!r}. Call it through a router "
                "that knows, or have the operator assign the tenant: `festinger system "
                f"tenant assign {tenant} NAME`",
                tenant=tenant,
                server=head.server,
            )
