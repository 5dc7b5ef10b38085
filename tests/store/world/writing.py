"""A writer without a queue: take the pen, judge, commit, publish, a batch at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Proposal
from festinger.core.validation.routing import default_candidate_policy
from festinger.core.world.draft import Draft
from festinger.core.world.publishing import renumber, take_over
from festinger.core.world.world import World
from festinger.services.validation.candidate_creation import create_candidates
from festinger.services.world.reserving import reserve
from festinger.store.graph.writes import GraphWrites
from festinger.store.postgres import PostgresStore
from festinger.store.world.batches import Batch, CallResult, RaceLost, RequestKey
from tests.memories import NOW


async def write(
    store: PostgresStore,
    world: World,
    *proposals: Proposal,
    tenant: str = "default",
    now: float = NOW,
    behind: bool = False,
) -> tuple[list[Outcome], GraphWrites]:
    """
    Write statements as one batch; return the outcomes; with `behind`, without looking
    first what other servers wrote.
    """
    await reserve(store, tenant, world, len(proposals))
    async with store.writing(tenant) as writing:
        if not behind:
            take_over(world, await writing.news(world.version))
        witnesses = await writing.witnesses(
            [(each.triple, each.principal) for each in proposals]
        )
        draft = Draft(world, witnesses=witnesses, now=now)
        outcomes = [draft.propose(proposal).outcome for proposal in proposals]
        graph = GraphWrites(draft)
        batch = Batch(graph, now=now)
        await create_candidates(writing, draft, batch, default_candidate_policy())
        version = await writing.write(batch)
    batch.publish(world, version)
    return outcomes, graph


async def commit(
    store: PostgresStore,
    draft: Draft,
    *,
    tenant: str = "default",
    requests: Sequence[tuple[RequestKey, LedgerEntry | None, CallResult]] = (),
) -> None:
    """Write a draft, and publishes it."""
    async with store.writing(tenant) as writing:
        batch = Batch(GraphWrites(draft), now=draft.now)
        batch.requests += requests
        await create_candidates(writing, draft, batch, default_candidate_policy())
        version = await writing.write(batch)
    batch.publish(draft.world, version)


async def write_until_won(
    store: PostgresStore, world: World, *proposals: Proposal, behind: bool = False
) -> list[Outcome]:
    """Return the same as `write`, judged again as long as another server was first."""
    while True:
        try:
            return (await write(store, world, *proposals, behind=behind))[0]
        except RaceLost as race:
            renumber(world, race.concepts)
            if race.places:
                news = await store.news("default", world.version, race.places)
                take_over(world, news)


async def read(
    store: PostgresStore,
    what: str,
    *arguments: Any,
    tenant: str = "default",
    **keywords: Any,
) -> Any:
    """Return the result of a method of the store's reads."""
    async with store.reading(tenant) as reads:
        return await getattr(reads, what)(*arguments, **keywords)
