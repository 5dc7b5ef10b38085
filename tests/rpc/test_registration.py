"""The cost of accepting a call."""

from __future__ import annotations

import asyncio

from festinger.api.v1 import memory_service_pb2 as pb


async def test_accepting_a_call_costs_the_same_with_any_number_of_methods(
    serve, monkeypatch
):
    """
    The server waits for the next call as a whole, not for one of each method, which
    would be done anew for each call.
    """
    wait, counts = asyncio.wait, []

    async def counted(futures, **options):
        futures = list(futures)
        if options.get("return_when") == asyncio.FIRST_COMPLETED:
            counts.append(len(futures))
        return await wait(futures, **options)

    monkeypatch.setattr(asyncio, "wait", counted)
    _, client = await serve()
    await client.memory.Tokenise(pb.TokeniseRequest(text="a rose"))

    assert set(counts) == {1}
