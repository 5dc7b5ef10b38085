"""Interactions between people and agents, in Postgres."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from festinger.core.memories.interaction import (
    Interaction,
    InteractionFinding,
    InteractionState,
    RejectedExtraction,
)
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.errors import InteractionNotFound, Overloaded, SourceGone
from festinger.store.graph.rows import time_or_none, to_time
from festinger.store.memories.capture import TurnWriter
from festinger.store.memories.records import (
    CapturedTurns,
    CompletedExtraction,
    to_found,
    to_interaction,
    to_rejection,
)
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, fields_of, sql
from festinger.store.system.tenancy import TenantTables, tenants_by, transaction
from festinger.store.world.batches import (
    AggregateWrites,
    BatchTransaction,
    RaceLost,
    RequestKey,
)


class PostgresInteractions(TenantTables):
    """Store of interactions in the database; the caller closes the pool."""

    async def capture(
        self,
        tenant: str,
        captured: CapturedTurns,
        request: RequestKey | None,
        now: float,
    ) -> tuple[Interaction, int]:
        """Add the new turns of a session.

        Returns:
            The interaction of the last turn, and the number of added turns.

        Raises:
            RequestIdReused: The request id was used for another request.
        """
        async with transaction(self._pool, tenant) as connection:
            capturing = TurnWriter(connection, tenant, captured, now)
            number, added = await capturing.add(request)
        # As it is stored now, without its turns.
        (interaction,) = await self.list(tenant, after=number - 1, limit=1)
        return interaction, added

    async def extracting(self, now: float) -> list[str]:
        """Return the tenants with a chosen model and an interaction to extract."""
        return await tenants_by(self._pool, sql("extracting"), to_time(now))

    async def lease(
        self, tenant: str, now: float, seconds: float
    ) -> Interaction | None:
        """Lease the next interaction to extract; return None if there is none."""
        # Skips what another process has locked, so that several extract at once.
        row = await self._row(
            "lease_interaction", tenant, to_time(now), uuid.uuid4(), seconds
        )
        return to_interaction(row) if row else None

    async def lease_one(
        self, tenant: str, interaction_id: int, now: float, seconds: float
    ) -> Interaction:
        """Lease an interaction for extraction, resetting its failures.

        Raises:
            InteractionNotFound: There is no such interaction.
            SourceGone: Its text was deleted.
            Overloaded: It is leased by another process.
        """
        async with transaction(self._pool, tenant) as connection:
            row = await connection.fetchrow(
                sql("lease_one_interaction"),
                tenant,
                interaction_id,
                to_time(now),
                uuid.uuid4(),
                seconds,
            )
            # Without a row it is leased, forgotten, or was never there.
            if row:
                return to_interaction(row)
            # Says why there is no lease: no such interaction, a forgotten one, or somebody has it.
            found = await _get(connection, tenant, interaction_id)
        if found.state is InteractionState.FORGOTTEN:
            raise SourceGone(
                f"what was said in interaction {interaction_id} was deleted on request: "
                "nothing can be extracted from it",
                interaction_id=str(interaction_id),
            )
        raise Overloaded(
            f"interaction {interaction_id} is being extracted; look again in a moment"
        )

    async def extend(
        self, tenant: str, interaction: Interaction, seconds: float
    ) -> bool:
        """Extend a lease; return False if it was lost."""
        row = await self._row(
            "extend_interaction",
            tenant,
            interaction.id,
            # Whoever lost the lease changes nothing, here and below.
            interaction.lease,
            seconds,
        )
        return row is not None

    async def summarise(
        self, tenant: str, interaction: Interaction, summary: str
    ) -> bool:
        """Save a summary; return False if the lease was lost."""
        row = await self._row(
            "summarise_interaction", tenant, interaction.id, interaction.lease, summary
        )
        return row is not None

    async def postpone(self, tenant: str, interaction: Interaction) -> None:
        """Release a lease, saving the attempts, the error and the due time."""
        await self._run(
            "postpone_interaction",
            tenant,
            *fields_of(interaction, "id lease attempts last_error"),
            time_or_none(interaction.due),
        )

    async def get(self, tenant: str, interaction_id: int) -> Interaction:
        """Return an interaction with its turns, or raise `InteractionNotFound`."""
        async with transaction(self._pool, tenant) as connection:
            return await _get(connection, tenant, interaction_id)

    async def list(
        self,
        tenant: str,
        *,
        states: Collection[InteractionState] = (),
        subject: str = "",
        after: int = 0,
        limit: int = 50,
    ) -> list[Interaction]:
        """Return interactions with numbers above `after`, without their turns."""
        rows = await self._rows(
            "interactions", tenant, [*states], subject, after, limit
        )
        return [to_interaction(row) for row in rows]

    async def forget(self, tenant: str, interaction_id: int) -> Interaction:
        """Delete an interaction's text and that of its rejections, but no records."""
        async with transaction(self._pool, tenant) as connection:
            # The digests of the turns stay, so that a client that resends them restores nothing.
            await connection.execute(sql("forget_interaction"), tenant, interaction_id)
            await connection.execute(sql("forget_rejections"), tenant, interaction_id)
            return await _get(connection, tenant, interaction_id)

    async def rejections(
        self,
        tenant: str,
        *,
        subject: str = "",
        interaction_id: int = 0,
        proposals_only: bool = False,
        before: int = 0,
        limit: int = 50,
    ) -> Sequence[RejectedExtraction]:
        """Return rejections with numbers below `before`, newest first; 0 for all."""
        rows = await self._rows(
            "rejections", tenant, subject, interaction_id, proposals_only, before, limit
        )
        return [to_rejection(row) for row in rows]

    async def last_findings(
        self, tenant: str, limit: int
    ) -> Sequence[InteractionFinding]:
        """Return the findings of the last extractions, oldest first."""
        rows = await self._rows(
            "last_findings", tenant, limit, list(CONVERSATION_TYPES)
        )
        # The query has the newest first, so that its limit keeps them.
        return [to_found(json.loads(row["finding"])) for row in reversed(rows)]


@dataclass(slots=True)
class InteractionWrites(AggregateWrites):
    """Completions of extractions, in the transaction that stores the memories."""

    remembered: list[CompletedExtraction] = field(default_factory=list)

    async def write(self, transaction: BatchTransaction) -> None:
        """Mark the interactions as extracted. Raises `RaceLost`."""
        connection, tenant = transaction.connection, transaction.tenant
        for each in self.remembered:
            ended = await connection.fetchval(
                sql("end_interaction"),
                tenant,
                each.interaction_id,
                each.lease,
                len(each.findings),
                each.stored,
                json.dumps(list(map(asdict, each.findings))),
                list(each.log),
                transaction.now,
            )
            # Without the lease nothing of this extraction may be stored.
            if ended is None:
                raise RaceLost
            await _reject(connection, tenant, each.rejections, transaction.now)


async def _reject(
    connection: Connection,
    tenant: str,
    rejections: Sequence[RejectedExtraction],
    now: datetime,
) -> None:
    """Log the extractions that were not stored."""
    if not rejections:
        return
    first = await connection.fetchval(
        sql("reserve"), tenant, "rejection", len(rejections)
    )
    rows = [
        (
            first + place,
            *fields_of(each, "subject interaction_id reason detail text type"),
            *fields_of(each, "confidence threshold proposal"),
            json.dumps(dict(each.details)),
        )
        for place, each in enumerate(rejections)
    ]
    await connection.execute(sql("add_rejections"), tenant, *columns_of(rows), now)


async def _get(connection: Connection, tenant: str, interaction_id: int) -> Interaction:
    row = await connection.fetchrow(sql("whole_interaction"), tenant, interaction_id)
    if row is None:
        raise InteractionNotFound(
            f"there is no interaction {interaction_id}. See: festinger memories interactions",
            interaction_id=str(interaction_id),
        )
    return to_interaction(row)
