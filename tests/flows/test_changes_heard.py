"""Ordinary ways to say that something moved, through a prompt, one at a time."""

from __future__ import annotations

import asyncio

import pytest

from festinger.core.reading import Role, Turn
from festinger.core.recollection.turns import digest_of
from festinger.core.resolution import ConflictState
from festinger.flows.recollect import Conversation, recollect_prompt
from tests.flows.conftest import settled

SAID = [
    "billing isn't on podman anymore",
    "billing moved from podman to kubernetes",
    "billing has been migrated to kubernetes",
    "billing lives on kubernetes",
    "billing lives on kubernetes these days",
    "billing is running on kubernetes",
    "billing is hosted on kubernetes",
    "billing is deployed to kubernetes",
    "billing is now on kubernetes",
    "as of today billing runs on kubernetes",
    "heads up: billing is on kubernetes",
    "I just finished: billing runs on kubernetes",
    "done, billing runs on kubernetes now",
    "billing isn't running on podman, it runs on kubernetes",
    "I switched billing over to kubernetes",
    "billing no longer runs on podman",
    "billing now runs on kubernetes",
    "billing runs on kubernetes since Monday",
    "correction: billing runs on kubernetes",
    "yes, billing runs on kubernetes",
]


async def prompt(memory, text, who, session):
    """A person types something, and what comes of it is written."""
    turn = Turn(Role.USER, text, digest=digest_of(text))
    recollect_prompt(memory, [turn], principal=who, where=Conversation(session=session))
    await settled(memory)
    await asyncio.sleep(0)
    await asyncio.gather(*memory.settling)


@pytest.mark.parametrize("said", SAID)
async def test_change_replaces_or_is_queued(memory, said):
    """
    What was held is replaced, or what is said now waits for a decision; nothing is lost.
    """
    await prompt(memory, "billing runs on podman", "alice", "tuesday")
    world = memory.world
    number = world.id("billing")
    (edge,) = world.facts(number)
    assert world.token(edge.parent_id) == "podman"

    await prompt(memory, said, "bob", "thursday")

    held = {world.token(it.parent_id) for it in world.facts(number)}
    async with memory.store.reading(memory.tenant) as reads:
        waiting = await reads.conflicts(states=[ConflictState.PENDING], limit=9)
    assert "podman" not in held or waiting
