"""Writes of the graph: a draft's concepts, edges, conflicts and ledger rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from festinger.core.graph.conflicts import Clash
from festinger.core.world.draft import Draft
from festinger.core.world.undoing import Effects
from festinger.core.world.world import World
from festinger.store.graph import concepts, edges, ledger, origins, settling
from festinger.store.world.batches import AggregateWrites, BatchTransaction


@dataclass(slots=True)
class GraphWrites(AggregateWrites):
    """Writes of what a draft reserved.

    Attributes:
        effects: The changes made by decisions about queue items, by number.
        conflicts: The numbers of the queue items, new or counted, once written.
    """

    draft: Draft
    effects: dict[int, Effects] = field(default_factory=dict)
    conflicts: dict[Clash, int] = field(default_factory=dict)

    async def prepare(self, transaction: BatchTransaction) -> None:
        """Write concepts, ended edges, dimensions and queue items."""
        it, changes = transaction, self.draft.changes
        # Other servers reload these concepts.
        it.log.places |= changes.touched
        await concepts.add_concepts(
            it.joining,
            it.tenant,
            changes.concepts,
            it.dictionary,
            placed=changes.placed,
        )
        # Before anything is held: the unique index has one edge for each slot.
        await edges.close(it.connection, it.tenant, changes, it.now)
        await edges.add_dimensions(it.connection, it.tenant, changes, it.now)
        self.conflicts = await settling.enqueue(
            it.connection, it.tenant, changes, it.now
        )
        # The ledger's rows, written next, name the conflict.
        for entry in changes.entries:
            if entry.clash:
                number = self.conflicts[entry.clash]
                entry.outcome = entry.outcome._replace(conflict_id=number)

    async def write(self, transaction: BatchTransaction) -> None:
        """Write the ledger, edges, origins and decisions; raise RaceLost on a lost race."""
        # Edges, origins and conflicts refer to the ledger, which goes first.
        it, changes = transaction, self.draft.changes
        await ledger.add(it.joining, changes, it.now)
        await edges.hold(it.joining, changes, it.now)
        await edges.pass_by(it.joining, changes, it.now)
        await origins.add(it.joining, changes.origins)
        await settling.decide(it.connection, it.tenant, changes, self.effects, it.now)
        await settling.remember(it.connection, it.tenant, changes, it.now)

    async def verify(self, transaction: BatchTransaction) -> None:
        """Check for contradictions that no index refuses; raise RaceLost at one."""
        it = transaction
        await edges.verify(it.connection, it.tenant, self.draft.changes)

    def publish(self, world: World, version: int) -> None:
        """Publish the draft."""
        self.draft.publish(self.conflicts, version)
