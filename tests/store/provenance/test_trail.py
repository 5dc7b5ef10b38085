from __future__ import annotations

import asyncio

import pytest

from festinger.core.provenance.trail import LinkPredicate
from festinger.store.provenance.trail import TrailWrites
from festinger.store.world.batches import Batch
from tests.memories import NOW
from tests.store.world.writing import read
from tests.trails import guessed, told


async def put_down(store, found, *, now=NOW, tenant="default"):
    """Write a trail in a batch of its own."""
    async with store.writing(tenant) as writing:
        await writing.write(Batch(TrailWrites(found.trail), now=now))


async def test_what_is_put_down_is_read(store):
    """Objects come back byte for byte, with when they were written, and the links with them."""
    found = told()
    await put_down(store, found)
    objects = await read(store, "objects", list(found.trail.objects))
    links = await read(store, "links_from", list(found.trail.objects), 1000)

    assert {cid: each.data for cid, each in objects.items()} == {
        cid: each.data for cid, each in found.trail.objects.items()
    }
    assert {each.created for each in objects.values()} == {NOW}
    assert set(links) == found.trail.links


async def test_what_was_put_down_stays_as_it_is(store):
    """Written again, nothing is there twice and nothing changes."""
    await put_down(store, told())
    await put_down(store, told(), now=NOW + 60)
    objects = await read(store, "objects", list(told().trail.objects))

    assert {each.created for each in objects.values()} == {NOW}
    links = await read(store, "links_from", list(objects), 1000)
    assert len(links) == len(told().trail.links)


async def test_a_trail_is_written_with_its_batch_or_not_at_all(store):
    """A failure after it leaves nothing of it behind."""
    found = told()

    async def fail():
        async with store.writing("default") as writing:
            await writing.write(Batch(TrailWrites(found.trail), now=NOW))
            raise RuntimeError("the power went")

    with pytest.raises(RuntimeError, match="power"):
        await fail()
    assert await read(store, "objects", list(found.trail.objects)) == {}


async def test_two_may_write_the_same_at_once(store):
    """Nobody waits for ever, and nobody fails, when several write the same objects."""
    found = told()
    await asyncio.gather(*(put_down(store, found) for _ in range(4)))
    assert len(await read(store, "objects", list(found.trail.objects))) == 6


async def test_tenants_have_trails_of_their_own(store):
    """A trail in one memory is in no other."""
    await store.add_tenant("acme")
    await put_down(store, told(), tenant="acme")
    assert await read(store, "objects", list(told().trail.objects)) == {}
    assert await read(store, "triples_about", "alice", "", 10) == []
    assert len(await read(store, "triples_about", "alice", "", 10, tenant="acme")) == 1


async def test_facts_are_found_by_their_place(store):
    """
    By concept and dimension, or by concept alone, the newest first; those of a concept
    whose name begins alike, or of a dimension that does, are not among them.
    """

    def of(number, concept, dimension):
        triple = guessed().triple._replace(concept=concept, dimension=dimension)
        return told(candidate=guessed(id=number, triple=triple))

    first, second = of(1, "alice", "joined"), of(2, "alice", "joined")
    others = [
        of(3, "alice", "joined-by"),
        of(4, "alicea", "joined"),
        of(5, "alice_b", "joined"),
        of(6, "alic", "joined"),
    ]
    for later, found in enumerate([first, second, *others]):
        await put_down(store, found, now=NOW + later)

    async def about(*place):
        return await read(store, "triples_about", *place, 10)

    assert await about("alice", "joined") == [second.triple, first.triple]
    assert await about("alice", "") == [
        others[0].triple,
        second.triple,
        first.triple,
    ]
    assert await about("alice", "left") == []
    assert await read(store, "triples_about", "alice", "joined", 1) == [second.triple]


async def test_what_was_made_of_a_candidate_is_found(store):
    """A link can be followed back to what it is said of."""
    found = told()
    await put_down(store, found)
    links = await read(
        store, "links_to", [found.candidate.cid], [LinkPredicate.ASSERTED_FROM], 10
    )
    assert links == [(found.triple, "assertedFrom", found.candidate.cid)]
