"""The specification's Test C to the letter: its structures, its answer, its assertions."""

from __future__ import annotations

import json
from typing import cast

import pytest

from festinger.core.graph.advice import ConflictAdvice
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.outcome import CollisionType
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.graph.resolution import Conflict, ConflictState
from festinger.core.recollection.concepts import recollect, render
from festinger.core.system.preferences import Preferences
from festinger.core.world.draft import Draft
from festinger.services.graph.resolving import Resolution
from festinger.store.graph.writes import GraphWrites
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads
from tests.memories import NOW, contested_world
from tests.structures import soas_by_token, urd_by_concept, urd_by_concept_dim

ANSWER = """{
"decision": "decompose",
"existing_dimension": "artifact-type",
"new_dimension": "deployment-type",
"reasoning": "repo describes what gnommoweb is as a software artifact; container describes how it is deployed"
}"""


@pytest.fixture
def world():
    """The state at the end of Test B; the next new concept gets the number 401."""
    world = contested_world(ids=range(401, 500))
    world.conflicts.add(Clash(101, 1, 202, False), 1)
    return world


class OneConflict:
    """A queue that holds the entry of Test C and nothing else."""

    def __init__(self, world):
        self._world = world

    async def conflict(self, conflict_id):
        """Return the entry."""
        return Conflict(
            id=conflict_id,
            state=ConflictState.PENDING,
            type=CollisionType.ISA_ISA,
            incoming=Triple("gnommoweb", "container", "type", True),
            existing=self._world.name(self._world.edge(101, 1)),
            confidence=0.75,
            source=StatementSource.INFERRED,
            principal="alice",
            subject="",
            evidence="gnommoweb is a container",
            priority=0,
            statements=1,
            assertion_id=1,
            created=NOW,
        )

    async def conflicts(self, **_):
        """Nothing else waits."""
        return []


async def night(world):
    """Read the model's answer, decides, commits and publishes, without a database."""
    decision, incoming, existing = ConflictAdvice.model_validate_json(ANSWER).read()
    job = Resolution(
        1,
        decision,
        principal="festinger:resolver",
        reasoning=json.loads(ANSWER)["reasoning"],
        etag="",
        request=None,
        incoming_dimension=incoming,
        existing_dimension=existing,
    )
    await job.load(cast(PostgresReads, OneConflict(world)))
    draft = Draft(world, now=NOW)
    batch = Batch(GraphWrites(draft), now=NOW)
    job.decide(draft, batch)
    draft.publish({}, version=2)
    return batch


async def test_night_decomposes(world):
    """New dimensions with their roots, both edges moved, the queue empty, nothing marked."""
    assert world.conflicts.doubts.keys() == {101}

    batch = await night(world)

    assert soas_by_token(world)["artifact-type"].id == 401
    assert soas_by_token(world)["deployment-type"].id == 402
    for root in (401, 402):
        assert urd_by_concept_dim(world)[root, root].parent_id == root
    assert (101, 1) not in urd_by_concept_dim(world)
    assert urd_by_concept_dim(world)[101, 401].parent_id == 201
    assert urd_by_concept_dim(world)[101, 402].parent_id == 202
    assert len(urd_by_concept(world)[101]) == 2
    assert 101 not in world.conflicts.doubts
    (settlement,) = batch.of(GraphWrites).draft.changes.settlements
    assert settlement.state is ConflictState.RESOLVED
    assert settlement.reasoning == json.loads(ANSWER)["reasoning"]


async def test_recollection_after_the_night(world):
    """The block has both dimensions and no question mark."""
    await night(world)

    lines = recollect(world, [101], [], preferences=Preferences(), now=NOW)

    assert render(lines) == (
        "<recollection>\n"
        "gnommoweb: [artifact-type] repo [deployment-type] container\n"
        "</recollection>"
    )
