"""Erasure of what people said, wherever a copy of it is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from festinger.core.world.publishing import forget_concepts, forget_origins
from festinger.core.world.world import World
from festinger.store.graph import origins
from festinger.store.graph.rows import to_time
from festinger.store.system.queries import sql
from festinger.store.world.batches import BatchTransaction, Writes

if TYPE_CHECKING:
    from festinger.store.system.pool import Connection


@dataclass(slots=True)
class ErasureWrites(Writes):
    """Erasure of copies outside the turns, after all that may hold one is written.

    Attributes:
        sentences: Sentences with their speakers, all copies of which are erased.
        digests: The turns of these sentences.
        before: Time before which quotes are erased, in seconds since the epoch; 0 for
            none.
        unnamed: Tokens to drop if they have no references any more.
        dropped: The numbers of concepts that were dropped.
        unquoted: The concepts of statements whose origin was deleted, by ledger row.
    """

    sentences: list[tuple[str, str]] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    before: float = 0.0
    unnamed: set[str] = field(default_factory=set)
    dropped: Collection[int] = ()
    unquoted: Mapping[int, int] = field(default_factory=dict)

    async def finish(self, transaction: BatchTransaction) -> None:
        """Erase the copies, and drop the tokens."""
        connection, tenant = transaction.connection, transaction.tenant
        if self.before:
            before = to_time(self.before)
            await connection.execute(sql("forget_unread"), tenant, before)
        if self.digests:
            await connection.execute(sql("erase_unread_turns"), tenant, self.digests)
        if self.sentences:
            texts, speakers = map(list, zip(*self.sentences, strict=True))
            await connection.execute(sql("erase_unread"), tenant, texts)
            for statement in (sql("erase_ledger"), sql("erase_candidates")):
                await connection.execute(statement, tenant, texts, speakers)
            for statement in (sql("erase_messages"), sql("erase_conversations")):
                await connection.execute(statement, tenant, texts)
        self.unquoted = await origins.forget(
            connection, tenant, self.sentences, self.before
        )
        self.dropped = await drop_tokens(connection, tenant, self.unnamed)
        transaction.log.places |= {*self.dropped, *self.unquoted.values()}

    def publish(self, world: World, version: int) -> None:
        """Forget the origins and the concepts."""
        world.forget_unsaved(self.unnamed)
        forget_origins(world, self.unquoted)
        forget_concepts(world, self.dropped)


async def drop_tokens(
    connection: Connection, tenant: str, tokens: Collection[str]
) -> list[int]:
    """Drop tokens without references; return the numbers of their concepts."""
    if not tokens:
        return []
    rows = await connection.fetch(sql("drop_tokens"), tenant, sorted(tokens))
    return [row["id"] for row in rows]
