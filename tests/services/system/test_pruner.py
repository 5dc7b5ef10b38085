"""What is kept for a time only is deleted after it."""

from __future__ import annotations

import time

import pytest

from festinger.config import RetentionSettings
from festinger.services.system import pruner as module
from festinger.services.system.pruner import Pruner
from tests.memories import DAY

OLD, YOUNG = time.time() - 40 * DAY, time.time() - 20 * DAY
SETTINGS = RetentionSettings(
    requests_days=30, rejections_days=30, usage_days=30, history_days=30
)
FILLED = {
    "requests": """
        insert into requests (tenant, principal, request_id, method, payload_hash,
            response, created_at)
        select 'default', 'a', 'r' || $1::float8 || '-' || n, 'm', '', '{}',
            to_timestamp($1)
        from generate_series(1, $2::int) n
    """,
    "rejections": """
        insert into rejections (tenant, id, reason, text, type, confidence, threshold,
            created_at)
        select 'default', ($1::float8 * 10)::bigint + n, 'r', 't', 'u', 0, 0,
            to_timestamp($1)
        from generate_series(1, $2::int) n
    """,
    "model_usage": """
        insert into model_usage (tenant, model_id, day, purpose, calls)
        select 'default', 1, to_timestamp($1::float8)::date - n, 'resolve', 1
        from generate_series(1, $2::int) n
    """,
    "urd_history": """
        insert into urd_history (tenant, id, parent_id, dim_id, is_isa, confidence,
            last_confirmed, source, modality, closed_by, valid_from, valid_to)
        select 'default', id, id, id, true, 1, to_timestamp($1::float8), 'gutask', '', '',
            to_timestamp($1) - interval '1 day', to_timestamp($1)
        from soas, generate_series(1, $2::int) limit $2
    """,
}


@pytest.mark.parametrize("table", FILLED)
async def test_old_rows_go_and_young_ones_stay(table, pool, store, monkeypatch):
    """
    In more batches than one.
    """
    monkeypatch.setattr(module, "ROWS_MAX", 2)
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0)
    await pool.execute(FILLED[table], OLD, 5)
    await pool.execute(FILLED[table], YOUNG, 3)

    await Pruner(store, SETTINGS).look()

    assert await pool.fetchval(f"select count(*) from {table}") == 3


async def test_call_is_repeated_within_its_time(client, store):
    """
    A pruner that looks does not make the same call happen twice.
    """
    first = await client.states("gnommoweb -isa repo", request_id="once")
    await Pruner(store, SETTINGS).look()

    assert await client.states("gnommoweb -isa repo", request_id="once") == first
