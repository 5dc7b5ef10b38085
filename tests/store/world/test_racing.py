from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from festinger import _fast
from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.world.draft import Draft
from festinger.errors import DatabaseUnavailable
from festinger.services.world.committer import BatchCommitter
from festinger.services.world.counters import Counters
from festinger.services.world.reserving import reserve
from festinger.store.postgres import PostgresStore
from festinger.store.world.batches import RaceLost
from tests.memories import DICTIONARY, NOW, held, stated
from tests.store.world.writing import commit, read, write, write_until_won
from tests.structures import soas_by_token

# Two servers over one database: two stores, each with its own world. Whoever takes the
# pen first looks what the other wrote; these do not, so that the database itself is the
# arbiter (`behind`).


@pytest.fixture
async def other(pool):
    """The store of another server."""
    return PostgresStore(pool, DICTIONARY)


@pytest.fixture
async def ours(store):
    """The memory as this server loaded it."""
    return await store.load("default")


@pytest.fixture
async def theirs(other):
    """The memory as the other server loaded it."""
    return await other.load("default")


def met(world, *texts):
    """Read texts as prompts do."""
    for text in texts:
        words = world.vocabulary.read(
            _fast.scan(text), now=NOW, threshold=0.5, count=True
        )
        for token in words.unknown_tokens:
            world.meet_all([token], now=NOW)


async def counts(pool):
    """Return the counters as Postgres has them."""
    rows = await pool.fetch("select token, encounter_count from concepts")
    return {row["token"]: row["encounter_count"] for row in rows if row[1]}


async def test_other_servers_number_wins(store, other, ours, theirs):
    """A token that another server wrote first keeps that server's number."""
    await write(other, theirs, stated("gnommoweb -isa repo"))

    with pytest.raises(RaceLost) as lost:
        await write(store, ours, stated("gnommoweb -ispart agent0"), behind=True)

    assert lost.value.concepts == {
        token: soas_by_token(theirs)[token].id for token in ("gnommoweb",)
    }


async def test_taking_over_renumbers(store, other, ours, theirs):
    """After the race the same statement lands, under the number that won."""
    await write(other, theirs, stated("gnommoweb -isa repo"))
    await reserve(store, "default", ours)
    met(ours, "gnommoweb gnommoweb", "gnommoweb")

    (outcome,) = await write_until_won(
        store, ours, stated("gnommoweb -ispart agent0"), behind=True
    )

    assert outcome.verdict is Verdict.HELD
    assert soas_by_token(ours)["gnommoweb"].id == soas_by_token(theirs)["gnommoweb"].id
    assert soas_by_token(ours)["gnommoweb"].encounter_count == 2


async def test_second_parent_becomes_a_conflict(store, other, ours, theirs):
    """Both servers place a concept: the database keeps the first, the second collides."""
    await write(other, theirs, stated("gnommoweb -isa repo"))

    (outcome,) = await write_until_won(
        store, ours, stated("gnommoweb -isa container"), behind=True
    )

    assert outcome.collision is CollisionType.ISA_ISA
    assert held(ours) == held(theirs) == {Triple("gnommoweb", "repo", "type", True)}


async def test_same_fact_becomes_a_corroboration(store, other, ours, theirs):
    """Both servers state one fact: it is held once."""
    await write(other, theirs, stated("gnommoweb -isa repo", confidence=0.8))

    fact = stated("gnommoweb -isa repo", "bob", confidence=0.8)
    (outcome,) = await write_until_won(store, ours, fact, behind=True)

    assert outcome.verdict is Verdict.CORROBORATED
    assert outcome.fact is not None
    assert outcome.fact.confidence == pytest.approx(0.96)


async def test_circle_over_two_servers_is_refused(store, other, ours, theirs):
    """Each half is fine where it is stated; together they are a cycle (C2)."""
    for name in ("ant", "bee", "cat", "dog"):
        await write_until_won(
            other, theirs, stated(f"{name} -isa pet in context of zoo")
        )
    ours = await store.load("default")
    await write(other, theirs, stated("ant -ispart bee"), stated("cat -ispart dog"))
    await write(store, ours, stated("bee -ispart cat"), behind=True)

    (outcome,) = await write_until_won(
        store, ours, stated("dog -ispart ant"), behind=True
    )

    assert outcome.collision is CollisionType.CYCLE
    assert held(ours) == held(await store.load("default"))


async def test_circle_in_one_moment_is_refused(store, other, ours, theirs):
    """Two servers commit the two halves at once: one of them meets the other's."""
    await write(store, ours, stated("ant -isa pet"), stated("bee -isa pet"))
    theirs = await other.load("default")

    outcomes = await asyncio.gather(
        write_until_won(store, ours, stated("ant -ispart bee"), behind=True),
        write_until_won(other, theirs, stated("bee -ispart ant"), behind=True),
    )

    verdicts = sorted(outcome.verdict for (outcome,) in outcomes)
    assert verdicts == [Verdict.CONFLICTED, Verdict.HELD]


async def test_confirming_what_was_replaced_is_judged_again(
    store, other, ours, theirs, pool
):
    """A fact that another server ended is not confirmed from memory."""
    await write(store, ours, stated("gnommoweb -isa repo"))
    theirs = await other.load("default")
    await write(other, theirs, stated("gnommoweb -isa container"))
    draft = Draft(theirs, now=NOW)
    draft.close(Triple("gnommoweb", "container", "type", True), by="conflict 1")
    draft.propose(stated("gnommoweb -isa container"))
    await commit(other, draft)

    (outcome,) = await write_until_won(
        store, ours, stated("gnommoweb -isa repo", "bob"), behind=True
    )

    assert outcome.collision is CollisionType.ISA_ISA
    assert outcome.fact is not None
    assert outcome.fact.parent == "container"


async def test_random_servers_agree(store, other, ours, theirs):
    """Two servers that state contradictions at once leave one memory without any."""
    names = ["ant", "bee", "cat", "dog"]

    async def state(store, world, principal, shift):
        for i in range(12):
            a, b = names[i % 4], names[(i * shift + 1) % 4]
            fact = stated(f"{a} -isa {b}", principal)
            await write_until_won(store, world, fact, behind=True)

    await asyncio.gather(state(store, ours, "alice", 3), state(other, theirs, "bob", 5))

    world = await store.load("default")
    places = [(edge.concept_id, edge.dim_id) for edge in world.graph]
    ledger = await read(store, "conflicts", limit=1000)
    assert len(places) == len(set(places))
    assert sum(conflict.statements for conflict in ledger) <= 24
    for edge in world.graph:
        assert edge.concept_id == edge.parent_id or not world.reaches(
            edge.parent_id, edge.dim_id, edge.concept_id
        )


# Counters


async def test_flush_counts_once_a_sequence(store, pool):
    """A batch whose commit was never answered is sent again and counts once."""
    for _ in range(3):
        await store.flush("default", {900: "dobby"}, [(900, 5, NOW)], 1)

    assert await counts(pool) == {"dobby": 5}


async def test_flushes_of_two_servers_add_up(store, other, pool):
    """Counters are deltas, and each server counts its own batches."""
    await store.flush("default", {900: "dobby"}, [(900, 5, NOW)], 1)
    await other.flush("default", {}, [(900, 2, NOW - 50)], 1)

    row = await pool.fetchrow(
        "select encounter_count, extract(epoch from last_seen)::float8 from soas "
        "where id = 900"
    )
    assert tuple(row) == (7, NOW)


async def test_flush_follows_the_winning_number(store, other, ours, theirs, pool):
    """Both servers met a word first: its counts meet under one number."""
    for keeper, world in ((store, ours), (other, theirs)):
        await reserve(keeper, "default", world)
        met(world, "dobby works", "dobby", "dobby")

    await BatchCommitter("default", theirs, other, lambda: NOW).flush()
    await BatchCommitter("default", ours, store, lambda: NOW).flush()

    assert (await counts(pool))["dobby"] == 6
    assert soas_by_token(ours)["dobby"].id == soas_by_token(theirs)["dobby"].id


async def test_flushes_at_once_do_not_lock_each_other_out(store, other, ours, theirs):
    """Servers write the same new words in one order, whatever their numbers."""
    words = [f"word{i}x" for i in range(300)]
    for keeper, world, text in (
        (store, ours, " ".join(words)),
        (other, theirs, " ".join(reversed(words))),
    ):
        await reserve(keeper, "default", world)
        met(world, text, text)

    await asyncio.gather(
        BatchCommitter("default", ours, store, lambda: NOW).flush(),
        BatchCommitter("default", theirs, other, lambda: NOW).flush(),
    )

    tokens = [row.id for row in map(soas_by_token(ours).__getitem__, words)]
    assert tokens == [soas_by_token(theirs)[word].id for word in words]


async def test_lost_flush_is_sent_unchanged(ours, store, pool):
    """Counts of meanwhile wait for the next batch, so that nothing counts twice."""

    class Deaf:
        """A store that writes and whose answers are lost."""

        lost = 2

        async def flush(self, *batch):
            """Write, and breaks."""
            await store.flush(*batch)
            self.lost -= 1
            if self.lost >= 0:
                raise DatabaseUnavailable("lost")

    await reserve(store, "default", ours)
    deaf: Any = Deaf()
    counters = Counters("default", deaf)
    for _ in range(4):
        met(ours, "dobby")
        with suppress(DatabaseUnavailable):
            await counters.flush(ours)
    await counters.flush(ours)

    assert await counts(pool) == {"dobby": 4}
