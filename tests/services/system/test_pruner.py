"""Rows that are kept for a time only are deleted after it."""

from __future__ import annotations

import os
import time

import pytest

from festinger.config import RetentionSettings
from festinger.services.system import pruner as module
from festinger.services.system.pruner import Pruner
from festinger.store.review.reports import FOLDER, ReportFolders
from tests.memories import DAY

OLD, YOUNG = time.time() - 40 * DAY, time.time() - 20 * DAY
SETTINGS = RetentionSettings(
    requests_days=30,
    rejections_days=30,
    usage_days=30,
    reports_days=30,
    history_days=30,
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


@pytest.fixture
def pruner(store, tmp_path):
    """A pruner of the test's database, and of a folder of its own."""
    return Pruner(store, SETTINGS, ReportFolders(tmp_path), now=time.time)


async def test_old_reports_go(pruner, tmp_path):
    """As the policy says; young ones, and what is not published yet, stay."""
    for name, age in (("1", 40), ("2", 20), (".3.parts", 40)):
        folder = tmp_path / FOLDER / name
        folder.mkdir(parents=True)
        (folder / "report.json").write_text("{}")
        os.utime(folder, (time.time() - age * DAY,) * 2)

    await pruner.look()

    assert {it.name for it in (tmp_path / FOLDER).iterdir()} == {"2", ".3.parts"}


@pytest.mark.parametrize("table", FILLED)
async def test_old_rows_go_and_young_ones_stay(table, pool, pruner, monkeypatch):
    """In more batches than one."""
    monkeypatch.setattr(module, "ROWS_MAX", 2)
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0)
    await pool.execute(FILLED[table], OLD, 5)
    await pool.execute(FILLED[table], YOUNG, 3)

    await pruner.look()

    assert await pool.fetchval(f"select count(*) from {table}") == 3


async def test_call_is_repeated_within_its_time(client, pruner):
    """A pruner that looks does not make the same call happen twice."""
    first = await client.states("gnommoweb -isa repo", request_id="once")
    await pruner.look()

    assert await client.states("gnommoweb -isa repo", request_id="once") == first
