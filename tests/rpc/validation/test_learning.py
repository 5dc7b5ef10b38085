"""Learning from people, over gRPC."""

from __future__ import annotations

import json

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import validation_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from tests.memories import NOW
from tests.serving import refused


@pytest.fixture
async def answered(ballots):
    """Candidates that people decided."""
    for at in range(40):
        true = at % 2 == 0
        said = "yes" if true else "no"
        await ballots.decided(
            true,
            f"ann {said}",
            f"bob {said}",
            "yes yes",
            at=NOW - 100 + at,
            confidence=0.9,
            extractor_version="microllm:v0.1",
        )


async def export(client, **fields):
    """Return the examples that are told to an operator."""
    stream = client.validation.ExportLabels(
        pb.ExportLabelsRequest(**fields), metadata=client.as_("operator")
    )
    return [json.loads(it.json) async for it in stream]


async def test_learning_now(client, answered):
    """Says how much was learnt; raters and metrics tell it afterwards."""
    who = client.as_("operator")
    before = await client.validation.ListRaters(pb.ListRatersRequest(), metadata=who)
    learnt = await client.validation.Learn(pb.LearnRequest(), metadata=who)
    after = await client.validation.ListRaters(pb.ListRatersRequest(), metadata=who)
    measured = await client.validation.GetValidationMetrics(
        pb.GetValidationMetricsRequest(), metadata=who
    )

    assert not before.raters
    assert not before.HasField("fit_time")
    assert (learnt.vote_count, learnt.rater_count) == (120, 3)
    assert after.fit_time == Timestamp(seconds=int(NOW))
    by_name = {it.principal: it for it in after.raters}
    assert by_name["ann"].no_skill > by_name["yes"].no_skill
    assert by_name["ann"].judged_count == 40
    [calibration] = learnt.calibrations
    assert list(measured.calibrations) == [calibration]
    assert calibration.method == "platt"
    assert calibration.brier_after < calibration.brier_before
    assert [(it.count, it.confirmed) for it in calibration.bins] == [(40, 0.5)]


async def test_metrics(client, answered, ballots):
    """Every priority has its line; alerts say what is wrong."""
    await ballots.decided(True, status="expired", priority="critical")

    measured = await client.validation.GetValidationMetrics(
        pb.GetValidationMetricsRequest(hours=1), metadata=client.as_("operator")
    )

    priorities = [it.priority for it in measured.priorities]
    assert priorities == [
        validation_pb2.PRIORITY_CRITICAL,
        validation_pb2.PRIORITY_HIGH,
        validation_pb2.PRIORITY_NORMAL,
        validation_pb2.PRIORITY_LOW,
    ]
    assert measured.priorities[0].breach_count == 1
    assert (measured.confirmed_count, measured.rejected_count) == (20, 20)
    assert (measured.expired_count, measured.answered_count) == (1, 120)
    [alert] = measured.alerts
    assert (alert.name, alert.critical) == ("ttl_breach", True)


async def test_labels(client, answered):
    """One JSON object each, oldest decision first; with names where they are wanted."""
    nameless = await export(client)
    named = await export(client, named=True)
    late = await export(client, since_time=Timestamp(seconds=int(NOW) - 65))

    assert len(nameless) == len(named) == 40
    assert [it["label"] for it in named[:2]] == ["confirmed", "rejected"]
    assert [it["rater"] for it in named[0]["votes"]] == ["ann", "bob", "yes"]
    assert all(it["rater"].startswith("rater:") for it in nameless[0]["votes"])
    assert late == nameless[35:]


async def test_labels_since_a_time_that_is_none_are_refused(client):
    """The field is named."""
    with refused() as refusal:
        await export(client, since_time=Timestamp(nanos=-1))

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert "since_time" in refusal.message


@pytest.mark.parametrize("hours", [-1, 24 * 366 + 1])
async def test_impossible_times_are_refused(client, hours):
    """With the range that can be asked for."""
    with refused() as refusal:
        await client.validation.GetValidationMetrics(
            pb.GetValidationMetricsRequest(hours=hours),
            metadata=client.as_("operator"),
        )

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert "8784" in refusal.message


@pytest.mark.parametrize("token", ["shim", "guest"])
@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("Learn", pb.LearnRequest()),
        ("ListRaters", pb.ListRatersRequest()),
        ("GetValidationMetrics", pb.GetValidationMetricsRequest()),
    ],
)
async def test_only_operators_are_told(client, token, method, request_):
    """Neither an agent nor a bot learns who is trusted how far."""
    with refused() as refusal:
        await getattr(client.validation, method)(request_, metadata=client.as_(token))

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


async def test_labels_are_for_operators(client, answered):
    """They quote what people said."""
    with refused() as refusal:
        stream = client.validation.ExportLabels(
            pb.ExportLabelsRequest(), metadata=client.as_("guest")
        )
        _ = [it async for it in stream]

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


async def test_memories_are_apart(client, answered, acme):
    """Another memory's answers teach nothing here; one that is not there is an error."""
    learnt = await client.validation.Learn(
        pb.LearnRequest(), metadata=client.as_("operator", tenant="acme")
    )
    with refused() as refusal:
        await client.validation.Learn(
            pb.LearnRequest(), metadata=client.as_("operator", tenant="nowhere")
        )

    assert learnt.vote_count == 0
    assert refusal.code is grpc.StatusCode.NOT_FOUND
