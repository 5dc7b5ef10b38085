from __future__ import annotations

import aiohttp
import pytest

from festinger.config import host_and_port
from festinger.errors import AddressInUse, DatabaseUnavailable
from festinger.metrics.server import listener_of, registry_of
from festinger.shim.proxy.guard import HostGuard
from tests.exposition import complaints, families, value


@pytest.fixture
async def scrape(memories, clock):
    """Get the metrics of a server over the test's memories: status and text."""
    registry = registry_of(memories, clock, lambda: 0.25)
    listener = listener_of("127.0.0.1:0", registry, HostGuard("127.0.0.1", ()).check)
    address = await listener.start()
    async with aiohttp.ClientSession() as session:

        async def get(path="/metrics", **headers):
            answer = await session.get(f"http://{address}{path}", headers=headers)
            return answer.status, await answer.text()

        yield get
    await listener.stop()


async def test_nothing_to_complain_of(client, scrape):
    """The metrics keep to the conventions, before the first call and after some."""
    _, before = await scrape()
    await client.states("gnommoweb -isa repo")
    await client.says("gnommoweb is a service.")
    status, after = await scrape()

    assert status == 200
    assert complaints(before) == complaints(after) == []
    assert set(families(before)) == set(families(after))
    assert value(after, "process_open_fds") > 0


async def test_what_was_done_and_what_is_held(client, memories, scrape):
    """Prompts, statements by source and outcome, and what they left are counted."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa service")
    await client.says("gnommoweb")
    _, text = await scrape()

    name = "festinger_statements_total"
    assert value(text, name, source="gutask", outcome="held") == 1
    assert value(text, name, source="gutask", outcome="conflicted") == 1
    assert value(text, "festinger_recollect_seconds_count") == 1
    assert value(text, "festinger_commit_seconds_count") == 2
    assert value(text, "festinger_conflicts_pending") == 1
    assert value(text, "festinger_worlds_loaded") == 1
    assert value(text, "festinger_writer_queue_length") == 0
    assert value(text, "festinger_follower_lag_seconds") == 0.25
    [memory] = memories.loaded
    assert value(text, "festinger_concepts") == len(memory.world.vocabulary)
    assert value(text, "festinger_edges") == len(memory.world.graph)


async def test_prompts_state_as_well(client, scrape):
    """A statement of a prompt is counted by its own source, once it is written."""
    await client.says("gnommoweb is a repo.")
    # Statements are written in order.
    await client.states("dobby -isa elf")
    _, text = await scrape()

    name = "festinger_statements_total"
    assert value(text, name, source="inferred", outcome="held") == 1


async def test_late_flushes(client, memories, store, clock, scrape, monkeypatch):
    """Counters that cannot be written are told by how long, and how often it failed."""

    async def away(*_):
        raise DatabaseUnavailable("as told")

    await client.says("gnommoweb")
    await client.says("gnommoweb once more")
    with monkeypatch.context() as patch:
        patch.setattr(store, "flush", away)
        clock.now += 90.0
        with pytest.raises(DatabaseUnavailable):
            await memories.flush()
        _, late = await scrape()
    await memories.flush()
    _, written = await scrape()

    assert value(late, "festinger_flush_lag_seconds") == 90.0
    assert value(late, "festinger_flush_failures_total") == 1
    assert value(written, "festinger_flush_lag_seconds") == 0.0


async def test_no_tenant_is_named(client, acme, scrape):
    """Memories are counted together: their names are nobody else's business."""
    await client.states("gnommoweb -isa repo", *client.as_("shim", tenant="acme"))
    _, text = await scrape()

    assert value(text, "festinger_worlds_loaded") == 1
    assert "acme" not in text
    assert "gnommoweb" not in text


async def test_other_hosts_are_refused(scrape):
    """A page that rebinds its name does not read it, and there is nothing else to read."""
    assert (await scrape(Host="evil.example"))[0] == 403
    assert (await scrape("/"))[0] == 404


async def test_address_in_use(memories, clock):
    """If the address is in use, the error says which setting chooses another one."""
    registry = registry_of(memories, clock, lambda: 0.0)
    first = listener_of("127.0.0.1:0", registry, lambda request: None)
    host, port = host_and_port(await first.start())
    second = listener_of(f"{host}:{port}", registry, lambda request: None)

    with pytest.raises(AddressInUse, match=r"server\.metrics_address"):
        await second.start()
    await first.stop()
