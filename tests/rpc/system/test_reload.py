"""AdminService.Reload, over real gRPC."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from festinger.api.v1 import admin_service_pb2 as pb
from festinger.store.system.queries import sql
from festinger.store.world import loading
from festinger.store.world.loading import copy
from tests.serving import Client

LATE = "insert into soas (tenant, id, token) values ('default', 999999, 'nightly')"


def reload(client, *, who="operator", **values):
    """Return the call, by a caller."""
    return client.admin.Reload(pb.ReloadRequest(), metadata=Client.as_(who, **values))


async def test_reload_says_what_was_loaded(client):
    """The version, how much there is, and how long it took."""
    before = await reload(client)
    await client.states("gnommoweb -isa repo")

    response = await reload(client)

    assert (before.version, response.version) == (0, 1)
    assert response.concept_count == before.concept_count + 2
    assert response.edge_count == before.edge_count + 1
    assert response.duration.ToTimedelta().total_seconds() > 0


async def test_prompts_are_answered_while_a_memory_is_loaded(client, pool, monkeypatch):
    """By the old one, before the new one is there; the next answer has both."""
    await client.states("gnommoweb -isa repo")
    loading_now, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(connection, query, *arguments):
        if query == sql("copy_edges"):
            loading_now.set()
            await go_on.wait()
        await copy(connection, query, *arguments)

    monkeypatch.setattr(loading, "copy", slowly)
    await pool.execute(LATE)
    reloading = asyncio.create_task(_done(reload(client)))
    await loading_now.wait()

    told = await client.says("What is gnommoweb?")
    stated = await client.states("wiki -isa repo")

    assert "repo" in told.block
    assert not reloading.done()
    go_on.set()
    response = await reloading
    assert response.version == stated.version == 2
    assert (await client.concept("wiki")).edges[0].parent == "repo"
    assert (await client.concept("nightly")).token == "nightly"


async def _done(call):
    return await call


@pytest.mark.parametrize("who", ["shim", "guest"])
async def test_only_operators_may_reload(client, who):
    """Neither the shim nor an agent with a token may."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await reload(client, who=who)

    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED


async def test_nobody_without_a_token_may_reload(client):
    """Being on this machine is not enough."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await client.admin.Reload(pb.ReloadRequest())

    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED


async def test_memory_that_is_not_there_is_not_loaded(client):
    """The tenant is that of the metadata."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await reload(client, tenant="nowhere")

    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


async def test_corrupt_row_is_told_and_the_old_memory_answers(client, pool):
    """The error names it."""
    await client.states("gnommoweb -isa repo")
    await pool.execute("alter table soas drop constraint soas_encounter_count_check")
    await pool.execute(
        "update soas set encounter_count = -1, last_seen = now() where id = 1"
    )

    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await reload(client)

    assert refused.value.code() is grpc.StatusCode.DATA_LOSS
    assert "encounters -1 is not a count" in (refused.value.details() or "")
    assert "repo" in (await client.says("What is gnommoweb?")).block
