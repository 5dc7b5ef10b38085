"""A server is killed while a model settles conflicts: the next one goes on with the run."""

from __future__ import annotations

from typing import Any

import asyncpg
import grpc.aio
import pytest

from festinger.api.v1 import admin_service_pb2 as admin_pb
from festinger.api.v1 import config_service_pb2 as config_pb
from festinger.api.v1 import config_service_pb2_grpc, model_pb2
from festinger.api.v1 import conflict_service_pb2 as conflicts_pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.credentials import OPERATOR, read_token
from tests.kill.server import OPTIONS, Serving
from tests.providers import ProviderStandIn, Say
from tests.serving import Client
from tests.waiting import until

pytestmark = pytest.mark.slow

CONFLICTS, BEFORE = 6, 3
RESUMED_SECONDS_MAX = 120.0
DECOMPOSE = {
    "decision": "decompose",
    "existing_dimension": "artifact",
    "new_dimension": "deployment",
    "reasoning": "both are true",
}


def operator(serving: Serving) -> tuple[tuple[str, str], ...]:
    """Return the metadata of the server's operator."""
    token = read_token(serving.data_dir, OPERATOR)
    return (("authorization", f"Bearer {token}"),)


async def choose(channel: grpc.aio.Channel, who: Any, url: str) -> None:
    """Add a model of the stand-in, and let it settle conflicts, by hand only."""
    config = config_service_pb2_grpc.ConfigServiceStub(channel)
    added = await config.CreateModel(
        config_pb.CreateModelRequest(
            provider=model_pb2.Model.PROVIDER_OLLAMA, model_name="m", base_url=url
        ),
        metadata=who,
    )
    for key, value in (
        ("resolve_model_id", str(added.model.id)),
        ("resolution_schedule", "never"),
    ):
        await config.UpdateSetting(
            config_pb.UpdateSettingRequest(key=key, value=value), metadata=who
        )


async def expire_leases(serving: Serving) -> None:
    """Let the time pass that a silent server is given."""
    connection = await asyncpg.connect(serving.place.dsn)
    try:
        await connection.execute("update leases set expires_at = now()")
    finally:
        await connection.close()


async def until_done(client: Client, who: Any) -> conflicts_pb.Run:
    """Wait for the end of the newest run."""

    async def ended() -> conflicts_pb.Run | None:
        standing = await client.conflicts.GetResolver(
            conflicts_pb.GetResolverRequest(), metadata=who
        )
        newest: conflicts_pb.Run = standing.runs[0]
        return newest if newest.state != conflicts_pb.Run.STATE_RUNNING else None

    run: conflicts_pb.Run = await until(ended, RESUMED_SECONDS_MAX, 0.5)
    return run


async def test_killed_run_is_gone_on_with(serving: Serving) -> None:
    """
    After kill -9 in the middle of a run, what was decided stays decided, nothing is half
    applied, and the same run ends by itself once a server is there again.
    """
    async with ProviderStandIn() as provider:
        provider.will(*[Say(DECOMPOSE)] * (BEFORE + CONFLICTS))
        await serving.start()
        who = operator(serving)
        async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
            client = Client(channel)
            await choose(channel, who, provider.url)
            for number in range(CONFLICTS):
                await client.states(f"thing{number}x -isa repo", *who)
                await client.states(f"thing{number}x -isa container", *who)
            run = client.conflicts.Run(conflicts_pb.RunRequest(), metadata=who)
            async for told in run:
                if told.run.done_count == BEFORE:
                    provider.hold.clear()
                    break
            await until(lambda: provider.busy)
            await serving.kill()
        provider.hold.set()
        await serving.start()
        await expire_leases(serving)

        async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
            client = Client(channel)
            ended = await until_done(client, who)
            listed = await client.conflicts.ListConflicts(
                conflicts_pb.ListConflictsRequest(), metadata=who
            )
            checked = await client.admin.CheckWorld(
                admin_pb.CheckWorldRequest(), metadata=who
            )

    assert (ended.id, ended.state) == (1, conflicts_pb.Run.STATE_DONE)
    assert (ended.resolved_count, ended.failed_count) == (CONFLICTS, 0)
    assert [each.state for each in listed.conflicts] == (
        [Conflict.STATE_RESOLVED] * CONFLICTS
    )
    # The one that was being thought about is asked again, and no other.
    assert len(provider.asked) == CONFLICTS + 1
    assert list(checked.differences) == []
