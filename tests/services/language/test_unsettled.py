"""Changes whose server ends between the statement and the decision about it (J7)."""

from __future__ import annotations

from typing import Any

import pytest

from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.errors import DatabaseUnavailable
from festinger.services.graph.resolving import Undoing
from festinger.services.language.saying import say
from festinger.services.language.stating import (
    UNSETTLED_SECONDS,
    ChangeFinisher,
    StateAll,
)
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.postgres import PostgresStore
from tests.memories import DICTIONARY, TRUST, Clock
from tests.services.conftest import in_step
from tests.services.language.test_stating import held, hold, pending, said


async def state_only(memory: TenantMemory, **words: Any) -> None:
    """State that the port changed, and end before it is decided."""
    await hold(memory, said("gnommoweb", "port", "8080"))
    change = said("gnommoweb", "port", "9090", changes=True, **words)
    await memory.writer.submit(StateAll(memory, [change]))


async def test_change_that_was_left_is_decided_after_a_restart(
    memory: TenantMemory, clock: Clock, pool: Any
) -> None:
    """By the next server, in the speaker's name, like any decision."""
    await state_only(memory, speaker="dave")
    others = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    try:
        clock.now += UNSETTLED_SECONDS

        await ChangeFinisher(others, memory.store, now=clock).look()

        other = await others.get("default")
        assert held(other) == {"gnommoweb [port] 9090"}
        async with other.store.reading("default") as reads:
            (conflict,) = await reads.conflicts(states=[ConflictState.RESOLVED])
    finally:
        await others.stop()
    assert conflict.decided is not None
    assert conflict.decided.principal == "dave"
    assert conflict.decided.decision is ConflictDecision.UPDATE
    assert conflict.decided.reasoning == "said: gnommoweb port 9090"
    await memory.writer.follow()
    assert await in_step(memory, PostgresStore(pool, DICTIONARY))


async def test_change_that_is_under_way_is_left_alone(memory, memories, clock):
    """It is about to be decided by the call that took it."""
    await state_only(memory)

    await ChangeFinisher(memories, memory.store, now=clock).look()

    assert held(memory) == {"gnommoweb [port] 8080"}


async def test_undone_change_is_not_made_again(memory, memories, clock):
    """Its conflict waits for people."""
    await state_only(memory)
    clock.now += UNSETTLED_SECONDS
    await ChangeFinisher(memories, memory.store, now=clock).look()
    async with memory.store.reading(memory.tenant) as reads:
        (conflict,) = await reads.conflicts(states=[ConflictState.RESOLVED])
    await memory.writer.submit(
        Undoing(conflict.id, principal="bob", reasoning="no", etag="", request=None)
    )
    clock.now += UNSETTLED_SECONDS

    await ChangeFinisher(memories, memory.store, now=clock).look()

    assert held(memory) == {"gnommoweb [port] 8080"}
    assert await pending(memory) == ["gnommoweb -ispart 9090 in context of port"]


async def test_value_that_only_contradicts_waits_for_people(memory, memories, clock):
    """Without words of change nothing is decided, however long it waits."""
    await hold(memory, said("gnommoweb", "port", "8080"))
    await hold(memory, said("gnommoweb", "port", "9090", speaker="dave"))
    clock.now += UNSETTLED_SECONDS

    await ChangeFinisher(memories, memory.store, now=clock).look()

    assert held(memory) == {"gnommoweb [port] 8080"}
    assert len(await pending(memory)) == 1


async def test_answer_that_is_lost_before_the_decision_loses_no_change(
    memory, memories, unreliable, clock
):
    """The database goes away between the two: the statement is kept, and then decided."""
    await say(memory, "The billing service runs on podman.", principal="carol")
    unreliable.answers_lost = 1
    with pytest.raises(DatabaseUnavailable):
        await say(
            memory, "The billing service now runs on kubernetes.", principal="carol"
        )
    clock.now += UNSETTLED_SECONDS

    await ChangeFinisher(memories, memory.store, now=clock).look()

    assert held(memory) == {"billing_service [runs-on] kubernetes"}
