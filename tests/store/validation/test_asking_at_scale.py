from __future__ import annotations

from festinger.store.graph.rows import to_time
from festinger.store.system.queries import sql
from tests.memories import DAY, NOW

MANY = 3_000


async def plan_of(pool, name, *values):
    """Return the database's plan for a query, in a memory that has much of it."""
    async with pool.acquire() as connection:
        # Rows alone, without what they refer to.
        await connection.execute("set session_replication_role = replica")
        await connection.execute(
            "insert into candidates (tenant, id, concept, parent, dimension, is_isa, negated,"
            " confidence, source, proposer, author, assertion_id, created_at, expires_at)"
            " select 'default', i, 'c' || i, 'p' || i, 'joined', false, false, 0.5,"
            " 'inferred', 'scanner', 'alice', i, $1, $2 from generate_series(1, $3) i",
            to_time(NOW),
            to_time(NOW + DAY),
            MANY,
        )
        await connection.execute(
            "insert into questions (tenant, id, candidate_id, bot, lane, channel, text,"
            " prompt_hash, status, platform, reference, due_at, created_at, posted_at)"
            " select 'default', i, i, 'historian', 'community', 'matrix:' || i, '?', 'h',"
            " 'posted', 'matrix', 'r' || i, $1, $1, $1 from generate_series(1, $2) i",
            to_time(NOW),
            MANY,
        )
        await connection.execute("set session_replication_role = origin")
        await connection.execute("analyze candidates, questions")
        rows = await connection.fetch(f"explain {sql(name)}", *values)
    return "\n".join(row[0] for row in rows)


async def test_whom_to_ask_is_found_by_indexes(pool):
    """However many candidates wait, each one's questions and twins are found directly."""
    now = to_time(NOW)

    plan = await plan_of(pool, "cases", "default", now, now, 1_000)

    assert "questions_of_candidate" in plan
    assert "candidates_by_statement" in plan


async def test_question_of_a_message_is_found_by_its_reference(pool):
    """However many were posted, a click does not look through all of them."""
    plan = await plan_of(pool, "questions_by_reference", "default", "matrix", "r7")

    assert "_reference on questions" in plan
