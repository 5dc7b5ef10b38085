"""Lists of memories, entities and trusted state."""

from __future__ import annotations

import asyncio
import json

from festinger.api.v1 import promotion_service_pb2 as pb
from tests.serving import Client


async def test_entities_and_memories_are_told_apart(operator, extracted):
    """Each list has its own, with the relation that an entity states, and as JSON."""
    await extracted("use Postgres")
    await extracted(
        "the mast is part of the telescope",
        kind="entity",
        type="component",
        fact="mast -ispart telescope",
    )

    memory, entity, line = await asyncio.gather(
        operator.prints("memories", "--json"),
        operator.prints("review", "entities", "--json"),
        operator.prints("review", "entities", "--contains", "MAST"),
    )
    memory, entity = json.loads(memory), json.loads(entity)

    assert (memory["kind"], memory["type"]) == ("memory", "decision")
    assert (entity["kind"], entity["id"]) == ("entity", 2)
    assert entity["origin"]["quote"].startswith("Before it.")
    assert "component (entity)" in line
    assert "states mast -ispart telescope" in line


async def test_state_is_written_and_read(operator):
    """One item at a time; an empty value removes it, and its history is told on demand."""
    for value in ("0.8", "0.9"):
        await operator.client.promotion.SetState(
            pb.SetStateRequest(project="dome", key="release", value=value),
            metadata=Client.as_("operator"),
        )

    written = await operator.prints("review", "state", "dome", "release", "1.0")
    listed = await operator.prints("review", "state", "dome", "--history")
    await operator.prints("review", "state", "dome", "release", "")
    gone = await operator.prints("review", "state", "dome", "release")
    past = await operator.prints("review", "state", "dome", "--history")

    assert written.startswith("release: 1.0  (by operator, ")
    assert listed == f"{written}    was: 0.8\n    was: 0.9\n"
    assert gone == "Nothing is known of release yet.\n"
    assert past.startswith("release: (removed)  (by operator, ")
    assert past.endswith("    was: 0.8\n    was: 0.9\n    was: 1.0\n")


async def test_active_memory_is_taken_back(operator, extracted):
    """It waits again, and is active no more; what was never decided stays as it is."""
    await extracted("use Postgres")
    await operator.client.promotion.PromoteRecord(
        pb.PromoteRecordRequest(record_id=1), metadata=Client.as_("operator")
    )

    printed = await operator.prints("memories", "revert", "1")
    active = await operator.prints("memories", "--status", "active")

    assert printed.startswith("#1 candidate")
    assert active == "There is none.\n"
