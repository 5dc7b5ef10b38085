"""A writer without a queue: judge, commit, publish, one batch at a time."""

from __future__ import annotations

from typing import Any

from festinger.core.draft import Draft
from festinger.core.outcome import Outcome
from festinger.core.proposal import Proposal
from festinger.core.world import World
from festinger.flows.ports import Batch, Committed, RaceLost
from festinger.flows.writer import reserve
from festinger.store.postgres import PostgresStore
from tests.memories import NOW


async def write(
    store: PostgresStore,
    world: World,
    *proposals: Proposal,
    tenant: str = "default",
    now: float = NOW,
    **batch: Any,
) -> tuple[list[Outcome], Committed]:
    """
    What becomes of statements that are written as one batch.
    """
    await reserve(store, tenant, world, len(proposals))
    witnesses = await store.witnesses(
        tenant, [(each.triple, each.principal) for each in proposals]
    )
    draft = Draft(world, witnesses=witnesses, now=now)
    outcomes = [draft.propose(proposal).outcome for proposal in proposals]
    committed = await store.commit(tenant, Batch(draft.changes, now=now, **batch))
    draft.publish(committed.conflicts, committed.version)
    return outcomes, committed


async def write_until_won(
    store: PostgresStore, world: World, *proposals: Proposal
) -> list[Outcome]:
    """
    The same, judged again as long as another server was first.
    """
    while True:
        try:
            return (await write(store, world, *proposals))[0]
        except RaceLost as race:
            await store.take_over("default", world, race)
