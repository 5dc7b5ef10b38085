from __future__ import annotations

import asyncio

from festinger.store.graph.rows import to_time
from festinger.store.system.pool import acquired
from festinger.store.system.queries import sql
from festinger.store.validation.questions import PostgresQuestions
from tests.memories import DAY, NOW
from tests.people import put


async def ask(pool, number, **columns):
    """Write a question about a candidate; its number is the candidate's."""
    values = {"recipient": "alice", "lane": "author", **columns}
    names = ", ".join(values)
    places = ", ".join(f"${place}" for place in range(3, len(values) + 3))
    await pool.execute(
        "insert into questions (tenant, id, candidate_id, bot, text, prompt_hash, status,"
        f" due_at, created_at, {names})"
        f" values ('default', $1, $1, 'barkeep', '?', 'h', 'posted', $2, $2, {places})",
        number,
        to_time(NOW),
        *values.values(),
    )


async def test_who_closes_questions_waits_for_whoever_closes_others(pool):
    """
    An answer that closes two, the last one first, and an opt-out do not wait for each
    other for ever.
    """
    for number in (1, 2):
        await put(pool, number)
        await ask(pool, number)
    questions = PostgresQuestions(pool)

    async with acquired(pool) as connection, connection.transaction():
        await connection.execute(sql("lock_questions"), "default")
        now = to_time(NOW)
        await connection.execute(sql("end_question"), "default", 2, "answered", now)
        opting = asyncio.create_task(
            questions.set_opt_out(
                "default", ["alice"], out=True, said_by="alice", now=NOW
            )
        )
        closing = asyncio.create_task(questions.close_over("default", NOW + 3 * DAY, 0))
        await asyncio.sleep(0.2)
        await connection.execute(sql("end_question"), "default", 1, "answered", now)
    await asyncio.gather(opting, closing)

    rows = await pool.fetch("select status, closed_because from questions")
    assert {tuple(row) for row in rows} == {("closed", "answered")}


async def test_nothing_of_whoever_opts_out_is_posted_in_public(pool):
    """Not even what was put down at the same moment, in a channel."""
    await put(pool, lane="community")
    columns = {"recipient": "", "channel": "matrix:1", "lane": "community"}
    await ask(pool, 1, **columns)
    await pool.execute("update questions set status = 'waiting'")
    await pool.execute(
        "insert into opt_outs values ('default', 'alice', 'alice', now())"
    )

    rows = await pool.fetch(
        sql("postable_questions"), "default", to_time(NOW), [], ["matrix:1"], 10
    )

    assert rows == []
