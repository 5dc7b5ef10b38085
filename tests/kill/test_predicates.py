"""A server is killed while a predicate becomes single-valued: all of it, or nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc.aio
import pytest

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.credentials import OPERATOR, read_token
from tests.kill.server import OPTIONS, Serving
from tests.serving import Client

pytestmark = pytest.mark.slow

CONCEPTS = 600
AT_A_TIME = 100


async def in_parts(calls: list[Any]) -> list[Any]:
    """Await calls, some at a time; return their answers."""
    answers: list[Any] = []
    for at in range(0, len(calls), AT_A_TIME):
        answers += await asyncio.gather(*calls[at : at + AT_A_TIME])
    return answers


@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.4])
async def test_dimension_of_one_value_never_has_several(
    seconds: float, serving: Serving
) -> None:
    """After kill -9 on the way no concept has more values than the definition allows."""
    await serving.start()
    token = read_token(serving.data_dir, OPERATOR)
    who = (("authorization", f"Bearer {token}"),)
    names = [f"thing{number}x" for number in range(CONCEPTS)]
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        client = Client(channel)
        for value in ("redis", "celery"):
            await in_parts(
                [
                    client.states(f"{name} -ispart {value} in context of uses", *who)
                    for name in names
                ]
            )
        predicate = pb.Predicate(uri="uses", cardinality="CARDINALITY_SINGLE")
        request = pb.SetPredicateRequest(predicate=predicate)
        call = asyncio.ensure_future(
            client.validation.SetPredicate(request, metadata=who)
        )
        await asyncio.wait([call], timeout=seconds)
        call.cancel()
        await serving.kill()
    await serving.start()

    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        client = Client(channel)
        told = await client.validation.ListPredicates(
            pb.ListPredicatesRequest(), metadata=who
        )
        found = await in_parts([client.concept(name) for name in names])
        counts = {len(concept.edges) for concept in found}

    (defined,) = [it for it in told.predicates if it.dimension == "uses"]
    is_single = defined.cardinality == pb.Predicate.CARDINALITY_SINGLE
    assert counts == ({1} if is_single else {2})
