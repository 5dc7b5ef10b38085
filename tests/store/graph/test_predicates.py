from __future__ import annotations

from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import acquired
from tests.memories import DICTIONARY, TRUST

ADD = """
insert into predicates (tenant, uri, dimension, is_isa, question, principal, created_at)
values ('default', $1, $2, false, $3, 'cli', now())
"""


async def test_every_server_has_a_new_predicate_with_its_next_flush(pool, clock):
    """A memory's predicates are loaded with it, and read again with its settings."""
    memories = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    try:
        memory = await memories.get("default")
        assert "t:mentors" not in memory.registry
        async with acquired(pool) as connection:
            await connection.execute(
                ADD, "t:mentors", "mentor", "does {subject} mentor {object}?"
            )

        await memories.flush()

        assert memory.registry.of_uri("t:mentors").dimension == "mentor"
    finally:
        await memories.stop()


async def test_a_row_that_is_no_predicate_is_left_out_and_told(pool, clock):
    """A predicate written past the checks keeps nobody from the rest."""
    complaints: list[str] = []
    memories = Memories(
        PostgresStore(pool, DICTIONARY),
        now=clock,
        trust=TRUST,
        complain=complaints.append,
    )
    async with acquired(pool) as connection:
        await connection.execute(ADD, "t:mentors", "of two words", "")
        await connection.execute(ADD, "t:leads", "lead", "")
    try:
        registry = (await memories.get("default")).registry

        assert "t:leads" in registry
        assert "t:mentors" not in registry
        assert len(complaints) == 1
        assert "t:mentors" in complaints[0]
    finally:
        await memories.stop()
