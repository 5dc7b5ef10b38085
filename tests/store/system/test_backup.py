"""Backups are of one moment, are read back, and are restored in full or not at all."""

from __future__ import annotations

import json
import stat
import tracemalloc
from pathlib import Path
from uuid import uuid4
from zipfile import ZipFile

import pytest

from festinger.errors import (
    ConfigurationError,
    FestingerError,
    InvalidArgument,
    UnreadableFile,
)
from festinger.store import migrations
from festinger.store.migrations import HEAD, migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system import backup
from festinger.store.system.archive import ArchiveReader, RowSum
from festinger.store.system.backup import back_up, restore
from festinger.store.system.pool import open_pool
from tests.conftest import DATABASE
from tests.databases import answer_of, command, drop, dsn_of
from tests.memories import DICTIONARY, snapshot
from tests.serving import Client


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the backup."""
    return tmp_path / "memory.zip"


async def loaded(dsn):
    """Return the whole memory of a database, as plain values."""
    async with await open_pool(dsn, DATABASE) as pool:
        return snapshot(await PostgresStore(pool, DICTIONARY).load("default"))


@pytest.fixture
async def filled(database: str, client: Client) -> str:
    """The DSN of a memory with facts, a conflict, turns and words."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    await client.says("dobby deploys gnommoweb\ton Thursday, naïvely, 火曜日")
    # What COPY has to escape.
    await command(
        database,
        r"insert into config values ('default', 'odd', E'a\tb\nc\\d\r\\.'), "
        "('default', 'nothing', '')",
    )
    return database


async def test_restored_memory_is_the_same(filled, empty_database, file):
    """All structures of the world, and every table, to the last byte."""
    await back_up(filled, file)

    await restore(empty_database, file)

    again = file.with_name("again.zip")
    first, second = await manifests(filled, empty_database, again)
    assert await loaded(empty_database) == await loaded(filled)
    assert first.tables == second.tables
    assert first.rows > 50


async def manifests(original, restored, file):
    """Return the manifests of backups of both databases."""
    other = file.with_name("other.zip")
    return await back_up(original, other), await back_up(restored, file)


async def test_backup_is_for_its_owner_alone(filled, file):
    """It holds what people said."""
    await back_up(filled, file)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_backup_is_of_one_moment(filled, empty_database, file, monkeypatch):
    """A commit while tables are copied is in none of them."""
    before = await loaded(filled)
    copied = backup._copied

    async def slowly(connection, table, *arguments):
        await command(
            filled,
            f"insert into config values ('default', 'while_{table}', 'x'); "
            "update heads set version = version + 1",
        )
        return await copied(connection, table, *arguments)

    monkeypatch.setattr(backup, "_copied", slowly)
    manifest = await back_up(filled, file)
    monkeypatch.undo()

    await restore(empty_database, file)
    assert manifest.tenants == {"default": before["version"]}
    assert await loaded(empty_database) == before
    late = "select count(*) from config where key like 'while%'"
    assert (await answer_of(filled, late), await answer_of(empty_database, late)) == (
        len(manifest.tables),
        0,
    )


async def test_numbers_go_on_after_a_restore(filled, empty_database, file):
    """A number of the queue of unread turns is given out once."""
    insert = """
        insert into unread_turns (tenant, digest, speaker, principal, project, session,
            body, before, said_at)
        values ('default', decode(md5(random()::text), 'hex'), '', '', '', '', '', '', now())
        returning number
    """
    last = await answer_of(filled, insert)
    await back_up(filled, file)
    await restore(empty_database, file)

    assert await answer_of(empty_database, insert) == last + 1


async def test_references_hold_after_a_restore(filled, empty_database, file):
    """They are put aside while tables are filled, and are all there again."""
    await back_up(filled, file)
    await restore(empty_database, file)

    constraints = """
        select string_agg(conrelid::regclass || pg_get_constraintdef(oid), ';'
            order by conrelid::regclass::text, conname)
        from pg_constraint where connamespace = 'public'::regnamespace
    """
    assert await answer_of(empty_database, constraints) == await answer_of(
        filled, constraints
    )


async def test_memory_is_not_overwritten_unasked(filled, empty_database, file):
    """A restore over memories has to be told so."""
    await back_up(filled, file)
    await restore(empty_database, file)
    await command(empty_database, "update heads set version = version + 5")
    before = await loaded(empty_database)

    with pytest.raises(InvalidArgument, match="--replace"):
        await restore(empty_database, file)
    assert await loaded(empty_database) == before

    await restore(empty_database, file, replace=True)
    assert (await loaded(empty_database))["version"] == before["version"] - 5


async def test_database_in_use_is_not_restored_to(filled, file):
    """A server would go on with what it remembers."""
    await back_up(filled, file)

    with pytest.raises(InvalidArgument, match="server uses the database"):
        await restore(filled, file, replace=True)


async def test_backup_of_an_older_schema_is_migrated(
    empty_database, postgres, file, monkeypatch
):
    """Tables that have another name by now are restored, and then renamed."""
    monkeypatch.setattr(migrations, "HEAD", "0012")
    await migrate(empty_database)
    await command(
        empty_database,
        """
        insert into tenants (tenant) values ('acme');
        insert into heads (tenant) values ('acme');
        insert into id_blocks (tenant, kind, next_id) values ('acme', 'factoid', 7);
        """,
    )
    manifest = await back_up(empty_database, file)
    monkeypatch.undo()

    await restore(empty_database, file, replace=True)

    assert "factoids" in manifest.tables
    assert (
        await answer_of(empty_database, "select version_num from alembic_version")
        == HEAD
    )
    numbers = "select kind || next_id from id_blocks"
    assert await answer_of(empty_database, numbers) == "candidate7"


async def test_backup_of_a_newer_schema_is_refused(filled, empty_database, file):
    """With what to do about it."""
    await back_up(filled, file)
    change(file, lambda manifest: manifest.update(schema="9999"))

    with pytest.raises(ConfigurationError, match=r"schema 9999.*newer version"):
        await restore(empty_database, file)


def change(file, edit):
    """Edit the manifest of a backup."""
    with ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members["manifest.json"])
    edit(manifest)
    members["manifest.json"] = json.dumps(manifest).encode()
    with ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def lose_a_row(manifest):
    """One row fewer than there are."""
    manifest["tables"]["soas"]["rows"] -= 1


def lose_a_table(manifest):
    """As if the schema had no such table."""
    del manifest["tables"]["turns"]


def flip(file, share):
    """Change some bytes in the middle of a file."""
    data = bytearray(file.read_bytes())
    at = int(len(data) * share)
    data[at : at + 40] = bytes(each ^ 0x55 for each in data[at : at + 40])
    file.write_bytes(data)


UNUSABLE = [
    (lambda file: file.write_bytes(b""), "not a backup of Festinger"),
    (lambda file: file.write_text("pg_dump"), "not a backup of Festinger"),
    (lambda file: file.write_bytes(file.read_bytes()[:-9]), "end is missing"),
    (lambda file: file.write_bytes(file.read_bytes()[:2000]), "end is missing"),
    (lambda file: flip(file, 0.3), "damaged: table"),
    (lambda file: flip(file, 0.6), "is damaged: "),
    (lambda file: change(file, lose_a_row), "table soas has"),
    (lambda file: change(file, lose_a_table), "not those of schema"),
    (lambda file: change(file, dict.clear), "not a backup of Festinger"),
    (lambda file: change(file, lambda it: it.update(version=2)), "of form 2"),
    (lambda file: change(file, lambda it: it.update(x=2)), "manifest"),
    (lambda file: file.unlink(), "No such file"),
]
"""What is done to a file, and what is said of it then."""


async def test_unusable_file_changes_nothing(filled, empty_database, file):
    """One sentence says what is wrong with it; a memory that is there stays."""
    await back_up(filled, file)
    whole = file.read_bytes()
    await restore(empty_database, file)
    await command(empty_database, "update heads set version = version + 5")
    before = await loaded(empty_database)
    for damage, told in UNUSABLE:
        file.write_bytes(whole)
        damage(file)

        with pytest.raises(FestingerError, match=told) as error:
            await restore(empty_database, file, replace=True)

        said = error.value.message
        assert str(file) in said or "of the backup" in said, told
        assert await loaded(empty_database) == before, told


async def test_restore_that_fails_late_changes_nothing(
    filled, empty_database, file, monkeypatch
):
    """Not even after all tables are filled: it is one transaction."""
    await back_up(filled, file)
    await restore(empty_database, file)
    before = await loaded(empty_database)

    monkeypatch.setattr(RowSum, "checksum", property(lambda self: "0" if self else ""))
    monkeypatch.setattr(ArchiveReader, "verify", lambda self: None)
    with pytest.raises(UnreadableFile, match="in the database"):
        await restore(empty_database, file, replace=True)
    monkeypatch.undo()

    assert await loaded(empty_database) == before


async def test_what_others_keep_there_stays(filled, empty_database, file):
    """Tables of somebody else in the same database are neither copied nor dropped."""
    await command(empty_database, "create table theirs as select 7 as n")
    await back_up(filled, file)

    await restore(empty_database, file)

    assert await answer_of(empty_database, "select n from theirs") == 7
    assert "theirs" not in (await back_up(empty_database, file.with_name("b"))).tables


async def test_file_that_exists_is_not_overwritten(filled, file):
    """A backup gets a name of its own."""
    file.write_text("precious")

    with pytest.raises(InvalidArgument, match="exists already"):
        await back_up(filled, file)

    assert file.read_text() == "precious"


async def test_interrupted_backup_leaves_no_file(filled, file, monkeypatch):
    """A file of that name is a whole backup."""

    async def fail(*arguments):
        raise ConnectionResetError

    monkeypatch.setattr(backup, "_copied", fail)
    with pytest.raises(FestingerError):
        await back_up(filled, file)

    assert list(file.parent.glob("*memory.zip*")) == []
    assert list(file.parent.glob(".*")) == []


async def test_database_without_a_memory_has_no_backup(empty_database, file):
    """A wrong DSN is noticed at the backup."""
    with pytest.raises(ConfigurationError, match="no memory yet"):
        await back_up(empty_database, file)


async def test_memory_of_the_process_stays_flat(filled, empty_database, file):
    """Tables of 20 MB are copied and restored in 8 MB."""
    # Letters that compress badly, and rows of which none is large.
    await command(
        filled,
        """
        insert into change_log (tenant, version)
        select 'default', 1000000 + n from generate_series(1, 100000) n;
        insert into objects (tenant, cid, kind, data, created_at)
        select 'default', 'c' || n, 'message',
            decode(string_agg(md5(n || ':' || m), ''), 'hex'), now()
        from generate_series(1, 1000) n, generate_series(1, 300) m group by n
        """,
    )

    tracemalloc.start()
    try:
        await back_up(filled, file)
        await restore(empty_database, file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 8 * 2**20


def test_rows_are_added_up_in_any_order():
    """And in any parts; twice the same row is another content than once."""
    sums = []
    for parts in ([b"a\nbb\n"], [b"bb\na", b"\n"], [b"a\nbb\na\n"]):
        rows = RowSum()
        for part in parts:
            rows.add(part)
        sums.append((rows.count, rows.checksum))

    assert sums[0] == sums[1] != sums[2]


async def test_plain_owner_saves_and_restores_all_memories(postgres, file):
    """Though the policies that keep tenants apart hold the owner of the tables, too."""
    name = f"plain_{uuid4().hex}"
    await command(postgres, f"create role {name} login")
    await command(postgres, f"create database {name} owner {name}")
    dsn = dsn_of(postgres, name).replace("festinger@", f"{name}@")
    try:
        await migrate(dsn)
        async with await open_pool(dsn, DATABASE) as pool:
            for tenant in ("acme", "bolt"):
                await PostgresStore(pool, DICTIONARY).add_tenant(tenant)

        saved = await back_up(dsn, file)
        await restore(dsn, file, replace=True)
        again = await back_up(dsn, file.with_name("again.zip"))
    finally:
        await drop(postgres, name)
        await command(postgres, f"drop role {name}")

    assert saved.tenants == {"acme": 0, "bolt": 0}
    assert again.tables == saved.tables
