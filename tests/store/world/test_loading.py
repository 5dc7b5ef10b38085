from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from festinger import _fast
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from festinger.services.world.counters import Counters
from festinger.services.world.reserving import reserve
from festinger.store.postgres import PostgresStore
from festinger.store.system import tenancy
from festinger.store.system.pool import open_pool
from festinger.store.world import loading
from tests.conftest import DATABASE
from tests.memories import DICTIONARY, NOW, snapshot
from tests.store.world.writing import write

NAMES = ["ant", "bee", "cat", "python", "naïve", "дом"]

PROPOSALS = st.builds(
    # Of a named tuple it would make up what has a default as well.
    lambda **given: Proposal(**given),
    triple=st.builds(
        Triple,
        concept=st.sampled_from(NAMES),
        parent=st.sampled_from(NAMES),
        dimension=st.sampled_from(["type", "tech", "tools", "ant"]),
        is_isa=st.booleans(),
        negated=st.sampled_from([False, False, True]),
    ),
    confidence=st.sampled_from([0.3, 0.5, 0.75, 1.0]),
    source=st.sampled_from(list(StatementSource)),
    principal=st.sampled_from(["alice", "bob"]),
    proposer=st.just("scanner"),
    asserts=st.sampled_from([True, True, False]),
)

STEPS = st.lists(
    st.one_of(
        st.lists(PROPOSALS, min_size=1, max_size=6),
        st.lists(st.sampled_from(NAMES), min_size=1, max_size=6).map(" ".join),
    ),
    min_size=1,
    max_size=5,
)

_tenants = itertools.count(1)


@given(STEPS)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_loaded_memory_is_the_one_that_was_written(database, steps):
    """
    After any batches and prompts: the five structures, the denials and the queue of a
    fresh load are those of the world that wrote them.
    """

    async def run() -> None:
        tenant = f"t{next(_tenants)}"
        async with await open_pool(database, DATABASE) as pool:
            store = PostgresStore(pool, DICTIONARY)
            await store.add_tenant(tenant)
            world = await store.load(tenant)
            await reserve(store, tenant, world)
            for step in steps:
                if isinstance(step, str):
                    # What is met once gets no row.
                    meet(world, step)
                    meet(world, step)
                else:
                    await write(store, world, *step, tenant=tenant)
            await Counters(tenant, store).flush(world, everything=True)

            loaded = await store.load(tenant)

            assert snapshot(loaded) == snapshot(world)
            assert loaded.unsaved == world.unsaved == {}

    asyncio.run(run())


def meet(world, text):
    """Read a text as a prompt does."""
    words = world.vocabulary.read(_fast.scan(text), now=NOW, threshold=0.5, count=True)
    for token in words.unknown_tokens:
        world.meet_all([token], now=NOW)


async def test_what_is_written_while_a_memory_is_read_is_read_whole_or_not(
    store, monkeypatch
):
    """
    The connection that reads the edges may begin later: what was written in between is
    not taken over without the concepts that it names.
    """
    writer = await store.load("default")
    before = snapshot(writer)
    begun = 0

    @asynccontextmanager
    async def snapshot_on(connection, tenant, role):
        nonlocal begun
        begun += 1
        if begun == 2:
            fact = Triple("brandnew", "newer", "type", is_isa=True)
            await write(
                store, writer, Proposal(fact, 1.0, StatementSource.GUTASK, "alice", "a")
            )
        async with tenancy.snapshot_on(connection, tenant, role):
            yield

    monkeypatch.setattr(loading, "snapshot_on", snapshot_on)
    loaded = await store.load("default")
    again = await store.load("default")

    assert begun == 4, "two connections have read"
    assert (loaded.version, again.version) == (0, writer.version)
    assert snapshot(loaded) == before
    assert snapshot(again) == snapshot(writer)
