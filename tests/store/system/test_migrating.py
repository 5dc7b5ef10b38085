from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from festinger.core.system.preferences import Preferences
from festinger.errors import ConfigurationError, DatabaseUnavailable, InvalidArgument
from festinger.store import migrations
from festinger.store.migrations import HEAD, migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from festinger.store.system.tenancy import SEEDS
from tests.conftest import DATABASE
from tests.databases import ASLEEP, answer_of, command
from tests.memories import DICTIONARY, snapshot
from tests.structures import soas_by_token
from tests.waiting import until

ROOT = Path(__file__).parents[3]

# Migrates as a process of its own, with the steps in a folder.
MIGRATOR = """
import asyncio, sys
from pathlib import Path
from festinger.store import migrations

_, dsn, folder, head, seconds = sys.argv
migrations._FOLDER = Path(folder)
migrations.HEAD = head
migrations.LEASE_SECONDS = int(seconds)
print(asyncio.run(migrations.migrate(dsn)), flush=True)
"""

STEP = """
from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
"""

AddStep = Callable[[str], Path]


@pytest.fixture
def add_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AddStep:
    """Add a step of a test's own, which becomes the newest; or replaces it."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrations._FOLDER, folder)

    def add(sql: str) -> Path:
        (folder / "versions" / "9001_test.py").write_text(STEP)
        (folder / "versions" / "9001_test.sql").write_text(sql)
        monkeypatch.setattr(migrations, "_FOLDER", folder)
        monkeypatch.setattr(migrations, "HEAD", "9001")
        return folder

    return add


def revisions(folder: Path) -> list[str]:
    """Return the steps of a folder, in order, without the one of a test."""
    names = {path.name.split("_")[0] for path in folder.glob("versions/*_*.sql")}
    return sorted(names - {"9001"})


def start_migrator(dsn, folder, head, seconds=60):
    """Start a process that migrates."""
    return subprocess.Popen(
        [sys.executable, "-c", MIGRATOR, dsn, folder, head, str(seconds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


HALF_DONE = "select to_regclass('half_done') is not null"
REVISION = "select version_num from alembic_version"
LEASE_IS_FREE = "select expires_at < now() from migration_lease"


async def column(pool, question, *arguments):
    """Return the first column of an answer."""
    return [row[0] for row in await pool.fetch(question, *arguments)]


async def test_second_run_has_nothing_to_do(empty_database):
    """Migrating is for every start: the first makes the tables, the second looks."""
    assert [await migrate(empty_database) for _ in range(2)] == [True, False]


async def test_three_at_once_make_one_schema(empty_database):
    """Servers that start together on an empty database wait for the one that migrates."""
    done = await asyncio.gather(*(migrate(empty_database) for _ in range(3)))

    assert sorted(done) == [False, False, True]


async def test_schema_of_a_newer_version_is_left_alone(empty_database):
    """A database that this version does not know is refused, with what to do."""
    await migrate(empty_database)
    await command(empty_database, "update alembic_version set version_num = '9999'")

    with pytest.raises(ConfigurationError, match="newer version"):
        await migrate(empty_database)


async def test_lease_of_a_dead_server_runs_out(empty_database):
    """A server that was killed while it migrated does not lock others out."""
    await migrate(empty_database)
    await command(empty_database, "drop schema public cascade; create schema public")
    await command(
        empty_database,
        """
        create table migration_lease (
            one boolean primary key default true check (one),
            holder uuid not null,
            expires_at timestamptz not null);
        insert into migration_lease (holder, expires_at)
        values (gen_random_uuid(), now() + interval '0.3 seconds')
        """,
    )

    assert await migrate(empty_database)


async def test_lease_of_who_is_cancelled_is_given_back(empty_database, monkeypatch):
    """Ctrl-C in the moment in which the lease was had does not lock others out."""
    acquire = migrations._acquire

    async def acquire_and_cancel(*given):
        await acquire(*given)
        migrating.cancel()
        await asyncio.sleep(0)

    monkeypatch.setattr(migrations, "_acquire", acquire_and_cancel)
    migrating = asyncio.create_task(migrate(empty_database))
    await asyncio.wait([migrating])

    assert migrating.cancelled()
    assert await answer_of(empty_database, LEASE_IS_FREE)


@pytest.mark.slow
async def test_processes_at_once_make_one_schema(empty_database):
    """Of four processes that start together on an empty database one migrates."""
    processes = [
        start_migrator(empty_database, migrations._FOLDER, HEAD) for _ in range(4)
    ]
    said = [process.communicate()[0] for process in processes]

    assert sorted(said) == ["False\n", "False\n", "False\n", "True\n"]
    assert await answer_of(empty_database, REVISION) == HEAD


async def test_newest_step_is_the_head():
    """A step that was added is one that is run."""
    assert revisions(migrations._FOLDER)[-1] == HEAD


async def test_steps_keep_what_is_there(empty_database, add_step, monkeypatch):
    """A memory that is used between the steps goes through all of them."""
    folder = add_step("alter table tenants add column note text not null default '-'")
    first, *later = [*revisions(folder), "9001"]
    monkeypatch.setattr(migrations, "HEAD", first)
    await migrate(empty_database)
    await command(
        empty_database,
        """
        insert into tenants (tenant) values ('acme');
        insert into heads (tenant, version) values ('acme', 1);
        insert into change_log (tenant, version, concept_ids) values ('acme', 1, '{2}');
        insert into soas (tenant, id, token)
            values ('acme', 1, 'type'), ('acme', 2, 'ant'), ('acme', 3, 'pet');
        insert into dimensions (tenant, dim_id, is_isa) values ('acme', 1, true);
        insert into assertions (tenant, id, concept, parent, dimension, is_isa, negated,
                                confidence, source, principal, proposer, outcome)
            values ('acme', 1, 'ant', 'pet', 'type', true, false,
                    1, 'gutask', 'alice', 'alice', 'held');
        insert into urd (tenant, id, parent_id, dim_id, is_isa, confidence,
                         last_confirmed, source, assertion_id)
            values ('acme', 1, 1, 1, true, 1, now(), 'gutask', null),
                   ('acme', 2, 3, 1, true, 1, now(), 'gutask', 1);
        """,
    )

    for revision in later:
        monkeypatch.setattr(migrations, "HEAD", revision)
        assert await migrate(empty_database)
        assert await answer_of(empty_database, REVISION) == revision

    world = await answer_of(
        empty_database,
        """
        select string_agg(c.token || ' ' || p.token, ', ' order by u.id)
        from urd u
        join soas c on c.tenant = u.tenant and c.id = u.id
        join soas p on p.tenant = u.tenant and p.id = u.parent_id
        """,
    )
    assert world == "type type, ant pet"
    assert await answer_of(empty_database, "select note from tenants") == "-"


async def test_old_default_position_gives_way(empty_database, monkeypatch):
    """A tenant that never chose a position gets the new default; a choice is kept."""
    monkeypatch.setattr(migrations, "HEAD", "0002")
    await migrate(empty_database)
    await command(
        empty_database,
        """
        insert into tenants (tenant) values ('acme'), ('chose'), ('off');
        insert into config (tenant, key, value, updated_at) values
            ('acme', 'recollection_position', 'system', null),
            ('chose', 'recollection_position', 'system', now()),
            ('off', 'recollection_position', 'off', null);
        """,
    )
    monkeypatch.undo()

    await migrate(empty_database)

    positions = await answer_of(
        empty_database, "select string_agg(value, ' ' order by tenant) from config"
    )
    assert positions == "sticky system off"


async def test_candidates_and_memory_records_keep_what_they_were(
    empty_database, monkeypatch
):
    """Numbers go on, and repeated calls and extractions find what was written before."""
    monkeypatch.setattr(migrations, "HEAD", "0012")
    await migrate(empty_database)
    await command(
        empty_database,
        """
        insert into tenants (tenant) values ('acme');
        insert into id_blocks (tenant, kind, next_id) values
            ('acme', 'factoid', 7), ('acme', 'claim', 8);
        insert into requests (tenant, principal, request_id, method, payload_hash,
                              response) values
            ('acme', 'op', 'r', 'Answer', '', '{"factoid_id": 3, "claims": [4]}');
        """,
    )
    monkeypatch.undo()

    await migrate(empty_database)

    numbers = await answer_of(
        empty_database,
        "select string_agg(kind || next_id, ' ' order by kind) from id_blocks",
    )
    response = await answer_of(empty_database, "select response::text from requests")
    odd = await answer_of(
        empty_database,
        "select count(*) from pg_class where relname ~ 'factoid|claim'",
    )
    assert numbers == "candidate7 record8"
    assert json.loads(response) == {"candidate_id": 3, "records": [4]}
    assert odd == 0


async def test_older_turns_and_counters_are_read_as_they_were(
    empty_database, monkeypatch
):
    """Only words that were met once, and that nothing names, are gone."""
    monkeypatch.setattr(migrations, "HEAD", "0008")
    await migrate(empty_database)
    await command(empty_database, OLDER)
    monkeypatch.undo()

    await migrate(empty_database)

    async with await open_pool(empty_database, DATABASE) as pool:
        store = PostgresStore(pool, DICTIONARY)
        world = await store.load("acme")
        async with store.reading("acme") as reads:
            turns = await reads.turns([1, 2, 3])
    rows = soas_by_token(world)
    assert {word: rows[word].encounter_count for word in rows} == {
        "type": 0,
        "ant": 1,
        "pet": 5,
        "please": 1,
    }
    assert rows["pet"].last_seen == 1_700_000_000.0
    assert [
        [(it.text, it.heading, int(it.marks), it.answers) for it in turn.utterances]
        for turn in turns
    ] == [
        [("One.", "", 4, ""), ("Two, and that.", "", 512, "")],
        [("", "", 0, ""), ("", "", 0, "")],
        [("Yes.", "List:", 256, "is it?"), ("No.", "", 0, "")],
    ]
    assert [set(turn.confirmed) for turn in turns] == [set(), set(), {1}]


OLDER = """
    insert into tenants (tenant) values ('acme');
    insert into heads (tenant) values ('acme');
    insert into soas (tenant, id, token, novelty, is_dictionary) values
        ('acme', 1, 'type', 0, false), ('acme', 2, 'ant', 1, false),
        ('acme', 3, 'pet', 0, false), ('acme', 4, 'once', 0, false),
        ('acme', 5, 'please', 0, true);
    insert into dimensions (tenant, dim_id, is_isa) values ('acme', 1, true);
    insert into encounters (tenant, id, encounter_count, last_seen)
        select 'acme', id, case when id = 3 then 5 else 1 end, to_timestamp(1700000000)
        from soas where id > 1;
    insert into turns (tenant, id, speaker, principal, said_at, digest, sentences,
                       headings, marks, answers, confirmed) values
        ('acme', 1, 'alice', 'alice', to_timestamp(1), decode(repeat('01', 16), 'hex'),
         array['One.', E'Two,\\nand that.'], array['', ''], array[4, 512], null, '{}'),
        ('acme', 2, 'alice', 'alice', to_timestamp(2), decode(repeat('02', 16), 'hex'),
         array['', ''], array['', ''], array[0, 0], null, '{}'),
        ('acme', 3, 'alice', 'alice', to_timestamp(3), decode(repeat('03', 16), 'hex'),
         array['Yes.', 'No.'], array['List:', ''], array[256, 0], array['is it?', ''],
         '{1}');
"""


async def test_older_memories_get_a_model(empty_database, monkeypatch):
    """Ollama's, as a new memory has; the next one that is added gets another number."""
    monkeypatch.setattr(migrations, "HEAD", "0003")
    await migrate(empty_database)
    await command(empty_database, "insert into tenants (tenant) values ('acme')")
    monkeypatch.undo()

    await migrate(empty_database)

    async with await open_pool(empty_database, DATABASE) as pool:
        store = PostgresStore(pool)
        await store.add_tenant("fresh")
        today = date(2026, 1, 1)
        old, new = [
            await store.models.models(tenant, today) for tenant in ("acme", "fresh")
        ]
        numbers = [await store.reserve(it, "model", 1) for it in ("acme", "fresh")]

    assert [(it.id, it.provider, it.name) for it in old] == [(1, "ollama", "llama3.2")]
    assert [(it.id, it.provider, it.name) for it in new] == [(1, "ollama", "llama3.2")]
    assert numbers == [range(2, 3)] * 2


async def test_failed_step_changes_nothing(empty_database, add_step):
    """
    A step that fails in its middle leaves the schema as it was and the lease free; the
    message says where, and the mended step runs.
    """
    await migrate(empty_database)
    add_step("create table half_done ();\ninsert into nowhere values (1);")

    with pytest.raises(ConfigurationError, match=r"9001_test\.sql, line 2.*nowhere"):
        await migrate(empty_database)

    assert not await answer_of(empty_database, HALF_DONE)
    assert await answer_of(empty_database, REVISION) == HEAD
    assert await answer_of(empty_database, LEASE_IS_FREE)
    add_step("create table half_done ();")
    assert await migrate(empty_database)
    assert await answer_of(empty_database, HALF_DONE)


async def test_failure_that_shows_while_running_changes_nothing(
    empty_database, add_step
):
    """The first step on an empty database goes back together with the one that fails."""
    add_step("create table half_done (); select 1 / 0;")

    with pytest.raises(ConfigurationError, match="division by zero"):
        await migrate(empty_database)

    assert await answer_of(empty_database, "select to_regclass('tenants')") is None
    assert (
        await answer_of(empty_database, "select to_regclass('alembic_version')") is None
    )


async def test_role_that_may_not_make_tables_is_told(empty_database):
    """A refusal before the first step says what PostgreSQL complains of."""
    await command(
        empty_database,
        """
        create role reader login;
        revoke create on schema public from public, reader;
        """,
    )
    try:
        with pytest.raises(ConfigurationError, match="permission denied for schema"):
            await migrate(empty_database.replace("festinger@", "reader@"))
    finally:
        await command(empty_database, "drop role reader")


async def test_steps_of_an_owner_change_the_rows_of_all_tenants(
    empty_database, add_step, monkeypatch
):
    """
    Policies that hold for the owner of the tables do not hold while steps run, and
    afterwards they do again.
    """
    await command(
        empty_database,
        "create role owner login; grant create on schema public to owner",
    )
    dsn = empty_database.replace("festinger@", "owner@")
    try:
        await migrate(dsn)
        for tenant in ("acme", "emca"):
            await command(empty_database, f"insert into tenants values ('{tenant}')")
            await command(empty_database, f"insert into heads values ('{tenant}')")
        add_step("update heads set version = 7")
        await migrate(dsn)

        changed = await answer_of(
            empty_database, "select count(*) from heads where version = 7"
        )
        hidden = await answer_of(dsn, "select count(*) from heads")
    finally:
        await command(empty_database, "drop owned by owner; drop role owner")

    assert (changed, hidden) == (2, 0)


@pytest.mark.slow
async def test_lease_is_renewed_while_a_step_runs(
    empty_database, add_step, monkeypatch
):
    """
    A step that takes longer than the lease is not begun by another server; that one
    says what it waits for.
    """
    await migrate(empty_database)
    monkeypatch.setattr(migrations, "LEASE_SECONDS", 2)
    add_step("create table half_done (); select pg_sleep(4);")
    said: list[str] = []
    migrating = asyncio.create_task(migrate(empty_database))
    await until(lambda: answer_of(empty_database, ASLEEP))

    assert not await migrate(empty_database, report=said.append)

    assert await migrating
    assert [line for line in said if "another server" in line] == said != []


@pytest.mark.slow
async def test_server_that_was_given_up_does_not_commit(empty_database, add_step):
    """
    If the lease went to another server meanwhile, as after a long pause, what this one
    did is undone.
    """
    await migrate(empty_database)
    add_step("create table half_done (); select pg_sleep(1);")
    migrating = asyncio.create_task(migrate(empty_database))
    await until(lambda: answer_of(empty_database, ASLEEP))
    await command(
        empty_database,
        "update migration_lease set holder = gen_random_uuid(), expires_at = now()",
    )

    with pytest.raises(DatabaseUnavailable, match="another server took over"):
        await migrating

    assert not await answer_of(empty_database, HALF_DONE)
    assert await migrate(empty_database)


@pytest.mark.slow
async def test_killed_server_is_succeeded(empty_database, add_step, monkeypatch):
    """
    After a kill -9 in the middle of a step the lease runs out, what the step did is
    undone, though it would have gone on for long, and the next server migrates.
    """
    await migrate(empty_database)
    folder = add_step("create table half_done (); select pg_sleep(600);")
    killed = start_migrator(empty_database, folder, "9001", seconds=2)
    await until(lambda: answer_of(empty_database, ASLEEP))
    killed.kill()
    killed.communicate()
    assert not await answer_of(empty_database, LEASE_IS_FREE)

    add_step("create table half_done (mended boolean);")
    assert await migrate(empty_database)

    assert await answer_of(empty_database, "select count(mended) from half_done") == 0
    assert await answer_of(empty_database, REVISION) == "9001"


async def test_database_that_goes_away_is_no_defect(empty_database, add_step):
    """If the connection breaks in the middle of a step, the database is away."""
    await migrate(empty_database)
    add_step("create table half_done (); select pg_sleep(600);")
    migrating = asyncio.create_task(migrate(empty_database))
    await until(lambda: answer_of(empty_database, ASLEEP))
    await command(
        empty_database,
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'festinger-migrate'
        """,
    )

    with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
        await migrating


async def test_every_key_begins_with_the_tenant(pool):
    """Every unique index of every table of ours has the tenant in front (A4)."""
    first_columns = await pool.fetch(
        """
        select c.relname, a.attname
        from pg_index i
        join pg_class c on c.oid = i.indrelid
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indisunique and c.relname not in ('alembic_version', 'migration_lease')
        """
    )

    assert {row["attname"] for row in first_columns} == {"tenant"}
    assert len(first_columns) > 15


async def test_schema_is_at_head(pool):
    """The template of these tests has the newest schema."""
    assert await column(pool, "select version_num from alembic_version") == [HEAD]


async def test_new_memory_has_its_six_dimensions(store):
    """A tenant starts with the roots of the seed list and nothing else."""
    await store.add_tenant("acme")

    world = await store.load("acme")

    roots = {world.token(edge.concept_id) for edge in world.graph}
    assert roots == set(soas_by_token(world)) == {token for token, _, _ in SEEDS}
    assert len(world.graph) == 6


async def test_new_memory_has_the_default_settings(store, pool):
    """The config table is seeded with what the specification says."""
    preferences, complaints = await store.preferences("default")

    keys = await column(pool, "select key from config where updated_at is null")
    assert (preferences, complaints) == (Preferences(), [])
    assert set(keys) == set(Preferences().rows())


async def test_memory_is_made_once(store):
    """Adding a tenant again says so and changes nothing."""
    added = [await store.add_tenant("acme") for _ in range(2)]

    assert added == [True, False]
    assert await store.tenants() == ["acme", "default"]


async def test_tenants_are_made_at_once_by_two(store):
    """Two servers that add the same tenant make one."""
    added = await asyncio.gather(*(store.add_tenant("acme") for _ in range(2)))

    assert sorted(added) == [False, True]


@pytest.mark.parametrize("name", ["", "Acme", "a b", "-x", "x" * 64, "ä"])
async def test_tenants_have_plain_names(store, name):
    """A tenant's name is fit for a file name and a header."""
    with pytest.raises(InvalidArgument, match="cannot be a tenant"):
        await store.add_tenant(name)


async def test_seeded_dimensions_know_the_dictionary(pool):
    """A dimension that is an everyday word is marked as one."""
    await PostgresStore(pool, DICTIONARY | {"type"}).add_tenant("acme")

    everyday = await column(
        pool, "select token from soas where tenant = 'acme' and is_dictionary"
    )
    assert everyday == ["type"]


async def test_loading_twice_gives_equal_worlds(store):
    """The loaded memory depends on the database alone."""
    first, second = await store.load("default"), await store.load("default")

    assert snapshot(first) == snapshot(second)
