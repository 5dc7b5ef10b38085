from __future__ import annotations

import pytest

from festinger.core.memories.types import Status
from tests.flows.offers import (
    interact,
    offer,
    offers,
    read_claim,
)


@pytest.fixture(autouse=True)
async def _interaction(pool):
    await interact(pool)


async def test_what_is_new_is_a_candidate(memory, clock):
    """
    A candidate has what its offer had, and waits in the first cycle.
    """
    offered = await offers(memory, offer("Use Postgres.", project="apollo", rank=0.5))

    [claim] = offered.written
    assert (offered.overflow, offered.again) == ((), ())
    assert (claim.id, claim.status, claim.cycle) == (1, Status.CANDIDATE, 1)
    assert (claim.content, claim.project) == ("Use Postgres.", "apollo")
    assert claim.origin.rule == "heading"
    assert claim.pending_since == claim.created_at == clock.now
    assert await read_claim(memory, 1) == claim
