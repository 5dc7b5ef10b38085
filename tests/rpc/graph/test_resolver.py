from __future__ import annotations

import asyncio

import grpc
import pytest

from festinger.api.v1 import admin_service_pb2 as admin_pb
from festinger.api.v1 import conflict_pb2
from festinger.api.v1 import conflict_service_pb2 as pb
from festinger.errors import BadAnswer, ModelRefused
from tests.serving import refused

Conflict = conflict_pb2.Conflict
FAILED_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
DECOMPOSE = {
    "decision": "decompose",
    "existing_dimension": "artifact-type",
    "new_dimension": "deployment-type",
    "reasoning": "what it is, and how it is deployed",
}
OPERATOR = (("authorization", "Bearer operator"),)


@pytest.fixture
async def contested(client, pool):
    """A server whose memory chose a model, and holds a contradiction."""
    await pool.execute("update config set value = '1' where key = 'resolve_model_id'")
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    return client


async def runs(client, *numbers):
    """Return the report of a run."""
    call = client.conflicts.Run(pb.RunRequest(conflict_ids=numbers), metadata=OPERATOR)
    return [told async for told in call]


async def test_run_is_told_step_by_step(contested, model):
    """First how much there is, then each conflict as it is now, last how it ended."""
    model.says(DECOMPOSE)

    told = await runs(contested)

    assert [each.run.done_count for each in told][-2:] == [1, 1]
    assert told[-2].conflict.state == Conflict.STATE_RESOLVED
    assert told[-2].conflict.resolution.reasoning == DECOMPOSE["reasoning"]
    assert told[-1].run.state == pb.Run.STATE_DONE
    assert told[-1].run.principal == "operator"
    assert told[-1].run.resolved_count == 1


async def test_failure_is_told(contested, model):
    """The conflict that stays pending, why, and how often the model failed at it."""
    model.says(BadAnswer("it answered with prose"))

    told = await runs(contested)

    assert told[-2].error == "it answered with prose"
    assert told[-2].conflict.attempts == 1
    assert told[-2].conflict.last_error == "it answered with prose"
    assert told[-1].run.failed_count == 1


async def test_run_that_cannot_go_on_says_so(contested, model):
    """A key that is not accepted ends the run and is kept with it."""
    model.says(ModelRefused("its key is not accepted (401)"))

    told = await runs(contested)
    standing = await contested.conflicts.GetResolver(
        pb.GetResolverRequest(), metadata=OPERATOR
    )

    assert told[-1].run.state == pb.Run.STATE_FAILED
    assert standing.runs[0].error == "its key is not accepted (401)"
    assert standing.pending_count == 1


async def test_run_outlives_its_caller(contested, model):
    """A watcher who hangs up stops watching, not the run."""
    gate = asyncio.Event()
    answer = model.ask

    async def think(*arguments, **fields):
        await gate.wait()
        return await answer(*arguments, **fields)

    model.ask = think
    model.says(DECOMPOSE)
    call = contested.conflicts.Run(pb.RunRequest(), metadata=OPERATOR)
    await call.read()
    call.cancel()
    gate.set()

    (*_, last) = await runs(contested)

    assert last.run.state == pb.Run.STATE_DONE
    assert len(model.asked) == 1


async def test_no_model_is_a_precondition(client):
    """The error names the setting, and the message the command."""
    with refused() as error:
        await runs(client)

    assert (error.code, error.reason) == (FAILED_PRECONDITION, "NO_MODEL")
    assert "festinger config set resolve_model_id" in error.message


async def test_resting_says_why(client):
    """Without a model there is no next run."""
    standing = await client.conflicts.GetResolver(
        pb.GetResolverRequest(), metadata=OPERATOR
    )

    assert "no model is chosen" in standing.resting
    assert not standing.HasField("next_run_time")


async def test_next_run_is_announced(contested):
    """The schedule's next moment, and since when the oldest conflict waits."""
    standing = await contested.conflicts.GetResolver(
        pb.GetResolverRequest(), metadata=OPERATOR
    )

    assert standing.next_run_time.ToDatetime().hour == 2
    assert standing.HasField("oldest_pending_time")


async def test_undoing_brings_it_back(contested, model):
    """The conflict is pending again, for people, with the decision that was taken back."""
    model.says(DECOMPOSE)
    await runs(contested)

    undone = await contested.conflicts.Undo(
        pb.UndoRequest(conflict_id=1, reasoning="one is enough"), metadata=OPERATOR
    )

    conflict = undone.conflict
    assert conflict.state == Conflict.STATE_PENDING
    assert conflict.for_people
    (earlier,) = conflict.earlier_resolutions
    assert earlier.decision == Conflict.DECISION_DECOMPOSE
    assert (earlier.principal, earlier.undo_principal, earlier.undo_reasoning) == (
        "festinger:resolver",
        "operator",
        "one is enough",
    )


async def test_pending_conflict_cannot_be_undone(contested):
    """There is no decision to take back."""
    with refused() as error:
        await contested.conflicts.Undo(pb.UndoRequest(conflict_id=1), metadata=OPERATOR)

    assert (error.code, error.reason) == (
        FAILED_PRECONDITION,
        "CONFLICT_NOT_SETTLED",
    )


@pytest.mark.parametrize("method", ["Run", "Undo", "GetResolver"])
async def test_agents_may_not(contested, method):
    """Running and undoing are for operators."""
    request = {"Run": pb.RunRequest, "Undo": pb.UndoRequest}.get(
        method, pb.GetResolverRequest
    )()
    with refused() as error:
        call = getattr(contested.conflicts, method)(
            request, metadata=contested.as_("guest")
        )
        if method == "Run":
            await call.read()
        else:
            await call

    assert error.code is grpc.StatusCode.PERMISSION_DENIED


async def test_world_is_checked(contested):
    """The memory in use equals the database, and says how much was compared."""
    checked = await contested.admin.CheckWorld(
        admin_pb.CheckWorldRequest(), metadata=OPERATOR
    )

    assert list(checked.differences) == []
    assert checked.row_count > 10


async def test_difference_is_told(contested, memories):
    """A difference to the database is told in a sentence."""
    world = (await memories.get("default")).world
    edge = world.facts(world.id("gnommoweb"))[0]
    world.graph.remove(edge.concept_id, edge.dim_id)

    checked = await contested.admin.CheckWorld(
        admin_pb.CheckWorldRequest(), metadata=OPERATOR
    )

    (difference,) = checked.differences
    assert "in the database only" in difference
