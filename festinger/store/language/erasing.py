"""Erasure of what people said, wherever a copy of it is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from festinger.core.world.publishing import forget_concepts, forget_origins
from festinger.core.world.world import World
from festinger.store.graph import origins
from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, sql
from festinger.store.world.batches import AggregateWrites, BatchTransaction


@dataclass(slots=True)
class ErasureWrites(AggregateWrites):
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
        # Unread turns that are older than what is kept.
        if self.before:
            before = to_time(self.before)
            await connection.execute(sql("forget_unread"), tenant, before)
        # Turns that are forgotten as a whole.
        if self.digests:
            await connection.execute(sql("erase_unread_turns"), tenant, self.digests)
        # Copies of forgotten sentences elsewhere.
        if self.sentences:
            texts, speakers = columns_of(self.sentences)
            # The ledger and candidates name the speaker: another one's same words stay there.
            await connection.execute(sql("erase_unread"), tenant, texts)
            for statement in (sql("erase_ledger"), sql("erase_candidates")):
                await connection.execute(statement, tenant, texts, speakers)
            # Messages and conversations are erased by the words alone.
            for statement in (sql("erase_messages"), sql("erase_conversations")):
                await connection.execute(statement, tenant, texts)
        self.unquoted = await origins.forget(
            connection, tenant, self.sentences, self.before
        )
        # At last, as a token may be dropped once nothing names it.
        self.dropped = await drop_tokens(connection, tenant, self.unnamed)
        # Other servers reload what lost its concept or its origin.
        transaction.log.places |= {*self.dropped, *self.unquoted.values()}

    def publish(self, world: World, version: int) -> None:
        """Forget the origins and the concepts."""
        # Words that were met, but not written yet, are known to the world only.
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
