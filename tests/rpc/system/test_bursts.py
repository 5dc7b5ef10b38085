"""Many calls at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import cast

import grpc
import grpc.aio
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.channels import open_channel
from tests.serving import Client

BURST = 1500
"""
More than gRPC lets wait by default: it cancels some of them, then.
"""
CHANNELS = 3


def delay_of(error: grpc.aio.AioRpcError) -> float:
    """The seconds after which a refused call may be repeated; fails without a RetryInfo."""
    info = error_details_pb2.RetryInfo()
    # The stubs know the synchronous client's errors only.
    status = rpc_status.from_call(cast(grpc.Call, error))
    assert any(it.Unpack(info) for it in (status.details if status else ())), error
    return float(info.retry_delay.ToMilliseconds()) / 1000


async def test_burst_is_answered_or_told_when_to_come_back(serve, memories):
    """
    None of 1,500 statements at once is cancelled, and who repeats refused ones, as told,
    loses none.
    """
    _, server = await serve()
    codes: Counter[grpc.StatusCode] = Counter()

    async def state(client, number):
        request = pb.AssertRequest(
            fact=f"n{number}x -isa thing", request_id=str(number)
        )
        while True:
            try:
                await client.memory.Assert(request)
            except grpc.aio.AioRpcError as error:
                codes[error.code()] += 1
                await asyncio.sleep(delay_of(error))
            else:
                return

    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(CHANNELS):
            channel = await stack.enter_async_context(open_channel(server.address))
            clients.append(Client(channel, server.address))
        calls = (state(clients[it % CHANNELS], it) for it in range(BURST))
        await asyncio.gather(*calls)

    world = (await memories.get("default")).world
    assert all(world.is_known(f"n{number}x") for number in range(BURST))
    assert set(codes) <= {grpc.StatusCode.RESOURCE_EXHAUSTED}
