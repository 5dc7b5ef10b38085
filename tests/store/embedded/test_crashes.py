from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path

import asyncpg
import pytest

from festinger.errors import DatabaseUnavailable, DataDirectoryInUse
from festinger.store.embedded import (
    EmbeddedPostgres,
    binaries,
    processes,
    supervisor,
    waiting,
)
from festinger.store.embedded.locks import FileLock
from festinger.store.system import pool as pools
from festinger.store.system.pool import acquired, open_pool
from festinger.workers.periodic import DatabaseWatch
from tests.conftest import DATABASE
from tests.databases import answer_of
from tests.store.embedded.clusters import (
    HOLDER,
    ROOT,
    copy,
    kill_postmaster,
    place_of,
    postmaster_of,
    server_is_gone,
    state_of,
)
from tests.waiting import until

# Orphans fall to it (PR_SET_CHILD_SUBREAPER), and it never asks how they ended.
CARELESS_INIT = """
import ctypes, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
holder = subprocess.Popen(
    [sys.argv[1], "-c", *sys.argv[2:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE
)
holder.stdout.readline()
holder.kill()
holder.wait()
print("there", flush=True)
time.sleep(600)
"""

# Orphans fall to it, and it is the holder itself.
FIRST_PROCESS = """
import asyncio, ctypes, os, signal, sys, time
from pathlib import Path
from festinger.store.embedded import EmbeddedPostgres
from tests.store.embedded.clusters import postmaster_of, state_of
from tests.databases import answer_of

async def main(data_dir):
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    postgres = EmbeddedPostgres(data_dir)
    await postgres.start()
    pid = postmaster_of(data_dir)
    os.kill(pid, signal.SIGKILL)
    while state_of(pid) != "Z":
        time.sleep(0.01)
    print(state_of(pid))
    dsn = await postgres.start()
    print(await answer_of(dsn, "select what from kept"))
    print("there" if Path(f"/proc/{pid}").exists() else "buried")
    await postgres.stop()

asyncio.run(main(Path(sys.argv[1])))
"""


async def test_a_killed_server_recovers(data_dir):
    """
    After a kill -9 of the postmaster its holder calls `start` again, and what was
    committed is there.
    """
    postgres = EmbeddedPostgres(data_dir)
    dsn = await postgres.start()
    await answer_of(dsn, "insert into kept values ('committed')")
    await kill_postmaster(data_dir)

    await postgres.start()

    assert await answer_of(dsn, "select count(*) from kept") == 2
    await postgres.stop()


@pytest.mark.slow
async def test_a_pool_outlives_its_server(data_dir):
    """
    After a kill -9 of the postmaster while it is used, the watch brings it back, and
    the pool that was open goes on with what was committed.
    """
    told: list[bool] = []
    postgres = EmbeddedPostgres(data_dir)
    async with await open_pool(await postgres.start(), DATABASE) as pool:

        async def run(statement: str) -> None:
            async with acquired(pool) as connection:
                await connection.execute(statement)

        async def tell(there: bool) -> None:
            told.append(there)

        watch = DatabaseWatch(lambda: run("select 1"), postgres.start, tell)
        await run("insert into kept values ('committed')")
        used = [asyncio.create_task(run("select pg_sleep(60)")) for _ in range(3)]
        await asyncio.sleep(0.1)
        await kill_postmaster(data_dir)

        for use in used:
            with pytest.raises(DatabaseUnavailable):
                await use
        await watch.look()
        await watch.look()

        assert told == [False, True]
        await asyncio.gather(*(run("select pg_sleep(0.1)") for _ in range(4)))
        async with acquired(pool) as connection:
            assert await connection.fetchval("select count(*) from kept") == 2
    await postgres.stop()
    assert server_is_gone(data_dir)


async def test_busy_is_not_away(pool, monkeypatch):
    """
    While all connections are in use nobody is told that the database went, and
    nothing is started again.
    """
    monkeypatch.setattr(pools, "ACQUIRE_SECONDS_MAX", 0.1)
    told: list[object] = []

    async def ping() -> None:
        async with acquired(pool) as connection:
            await connection.execute("select 1")

    async def revive() -> None:
        told.append("revived")

    async def tell(there: bool) -> None:
        told.append(there)

    watch = DatabaseWatch(ping, revive, tell)
    async with AsyncExitStack() as stack:
        for _ in range(DATABASE.connections_max):
            await stack.enter_async_context(acquired(pool))
        await watch.look()
    await watch.look()

    assert told == []


@pytest.mark.slow
async def test_a_long_recovery_is_waited_for_and_told(data_dir, monkeypatch):
    """
    However long a recovery takes, a line a second tells of it, and at its end the
    server is up, with everything that was committed.
    """
    monkeypatch.setattr(waiting, "ORPHAN_SECONDS", 0)
    monkeypatch.setattr(waiting, "INVISIBLE_SECONDS", 0)
    lines: list[str] = []
    postgres = EmbeddedPostgres(data_dir, report=lines.append)
    dsn = await postgres.start()
    await answer_of(
        dsn, "create table long as select generate_series(1, 300000) as number"
    )
    await kill_postmaster(data_dir)

    start = asyncio.create_task(postgres.start())
    recovering = await startup_process(data_dir)
    os.kill(recovering, signal.SIGSTOP)
    try:
        await until(lambda: len(lines) >= 3)
        assert not start.done()
    finally:
        os.kill(recovering, signal.SIGCONT)

    assert await start == dsn
    told = [
        f"Postgres is recovering after a crash … {second} s" for second in (1, 2, 3)
    ]
    assert lines[:3] == told
    assert await answer_of(dsn, "select count(*) from long") == 300_000
    await postgres.stop()


async def startup_process(data_dir: Path) -> int:
    """The process that recovers the server of a data directory, as soon as it is there."""
    name = place_of(data_dir).name
    for _ in range(5000):
        for pid in processes.of_server(name):
            if ": startup" in " ".join(processes.arguments(pid)):
                return pid
        await asyncio.sleep(0.001)
    pytest.fail("nothing recovers")


@pytest.mark.slow
async def test_a_dead_postmaster_that_nobody_reaps_is_no_obstacle(data_dir):
    """
    A killed postmaster whose parent never asks for it stays a zombie: its number seems
    to live, and its successor starts all the same.
    """
    init = start_careless_init(data_dir)
    try:
        pid = postmaster_of(data_dir)
        os.kill(pid, signal.SIGKILL)
        await until(lambda: state_of(pid) == "Z")

        async with EmbeddedPostgres(data_dir) as dsn:
            assert state_of(pid) == "Z"
            assert await answer_of(dsn, "select what from kept") == "as it was"
    finally:
        init.kill()
        init.communicate()


def start_careless_init(data_dir: Path) -> subprocess.Popen[str]:
    """A parent of all orphans below it, whose child held a server and was killed."""
    init = subprocess.Popen(
        [sys.executable, "-c", CARELESS_INIT, sys.executable, HOLDER, data_dir],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert init.stdout is not None
    init.stdout.readline()
    return init


@pytest.mark.slow
async def test_a_dead_postmaster_that_fell_to_us_is_reaped(data_dir):
    """
    A server that runs as a container's first process inherits its postmaster: after a
    kill -9 it buries it, and starts another.
    """
    command = [sys.executable, "-c", FIRST_PROCESS, str(data_dir)]
    said = await asyncio.to_thread(
        subprocess.check_output, command, cwd=ROOT, text=True
    )

    assert said == "Z\nas it was\nburied\n"
    assert server_is_gone(data_dir)


@pytest.mark.slow
async def test_an_orphan_that_computes_is_ended(data_dir, monkeypatch):
    """A backend that is too busy to notice its postmaster's death does not block the start."""
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
    A `postmaster.pid` that names a living process of the same user, which is no
    Postgres, is removed.
    """
    as_owner = place_of(data_dir).owner.spawn_options()
    other = await asyncio.create_subprocess_exec("sleep", "600", **as_owner)
    pid_file = data_dir / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{other.pid}\n{data_dir}\n0\n5432\n\n\n\nready\n")

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await answer_of(dsn, "select 1") == 1
        assert other.returncode is None
    other.kill()
    await other.wait()


@pytest.mark.slow
async def test_a_number_that_went_to_another_postgres_is_stale(data_dir, stopped):
    """
    A `postmaster.pid` that names the server of another directory is removed, and that
    server is left alone.
    """
    pid_file = data_dir / "postgres" / "postmaster.pid"
    async with EmbeddedPostgres(stopped) as other_dsn:
        other = postmaster_of(stopped)
        pid_file.write_text(f"{other}\n{data_dir}\n0\n5432\n\n\n\nready\n")

        async with EmbeddedPostgres(data_dir) as dsn:
            assert await answer_of(dsn, "select what from kept") == "as it was"
        assert await answer_of(other_dsn, "select what from kept") == "as it was"


@pytest.mark.slow
async def test_another_s_server_is_left_alone(data_dir):
    """A Postgres that somebody started on the same files is not taken for a stale one."""
    place = place_of(data_dir)
    pg_ctl = binaries.choose(None, data_dir).program("pg_ctl")
    options = f"-c listen_addresses='' -c unix_socket_directories={place.cluster}"
    run = partial(processes.run, owner=place.owner, directory=place.cluster)
    where = f"--pgdata={place.cluster}"
    log = f"--log={place.cluster}/log"
    assert (await run([pg_ctl, "start", where, log, f"--options={options}"]))[0] == 0
    try:
        other = postmaster_of(data_dir)

        with pytest.raises(DataDirectoryInUse, match=f"process {other}"):
            await EmbeddedPostgres(data_dir).start()
        assert postmaster_of(data_dir) == other
    finally:
        await run([pg_ctl, "stop", where])


@pytest.mark.slow
async def test_a_holder_whose_server_cannot_come_back_stays_one(data_dir):
    """
    After a start in vain the holder still counts: it may try again, and its stop waits
    for the end.
    """
    postgres = EmbeddedPostgres(data_dir)
    await postgres.start()
    settings = data_dir / "postgres" / "postgresql.conf"
    good = settings.read_text()
    settings.write_text(f"{good}\nno_such_setting = 1\n")
    await kill_postmaster(data_dir)
    with pytest.raises(DatabaseUnavailable, match="no_such_setting"):
        await postgres.start()
    settings.write_text(good)

    async with EmbeddedPostgres(data_dir) as dsn:
        other = postmaster_of(data_dir)
    assert await answer_of(dsn, "select what from kept") == "as it was"
    assert postmaster_of(data_dir) == other
    await postgres.stop()
    assert server_is_gone(data_dir)


@pytest.mark.slow
async def test_what_is_out_of_sight_is_not_started_twice(data_dir, monkeypatch):
    """
    If processes of the server run where they cannot be seen, as in another container,
    no second server is started on the same files.
    """
    monkeypatch.setattr(waiting, "INVISIBLE_SECONDS", 0)
    monkeypatch.setattr(supervisor, "NUMBER_SECONDS", 0)
    lock = FileLock(place_of(data_dir).locks / "server")
    assert lock.take()

    with pytest.raises(DataDirectoryInUse, match="another container"):
        await EmbeddedPostgres(data_dir).start()
    lock.release()


@pytest.mark.slow
async def test_a_swept_socket_is_made_again(data_dir, start_holder):
    """A server without a socket, as after a sweep of /tmp, is restarted by its next holder."""
    parent = start_holder(data_dir)
    parent.stdout.readline()
    parent.kill()
    parent.wait()
    place_of(data_dir).socket.unlink()

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await answer_of(dsn, "select what from kept") == "as it was"


@pytest.mark.slow
async def test_a_removed_directory_is_not_haunted(data_dir, stopped, start_holder):
    """
    A server whose directory was removed under it is not taken for the one of the
    directory that stands there now.
    """
    parent = start_holder(data_dir)
    dsn = parent.stdout.readline().strip()
    await answer_of(dsn, "insert into kept values ('removed')")
    parent.kill()
    parent.wait()
    shutil.rmtree(data_dir)
    copy(stopped, data_dir)

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await answer_of(dsn, "select count(*) from kept") == 1


@pytest.mark.slow
async def test_a_killed_initdb_is_told_and_repeated(empty):
    """
    If initdb is killed, as for want of memory, the message says what could not be
    done; the next start begins anew.
    """
    start = asyncio.create_task(EmbeddedPostgres(empty).start())
    await until((empty / "postgres.making" / "global").exists)
    for pid in running_in(empty, "initdb"):
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(DatabaseUnavailable, match="the database could not be made"):
        await start
    async with EmbeddedPostgres(empty) as dsn:
        assert await answer_of(dsn, "select 1") == 1


def running_in(directory: Path, program: str) -> list[int]:
    """Return the processes of a program that work in a directory."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            runs = processes.arguments(int(entry.name))[:1] == [program]
            name = os.path.basename(os.readlink(entry / "exe"))
            here = os.readlink(entry / "cwd") == str(directory)
            if here and (runs or name == program):
                found.append(int(entry.name))
    return found


@pytest.mark.slow
async def test_a_holder_that_is_killed_while_it_starts(data_dir, start_holder):
    """A kill -9 of whoever starts the server, at any moment, is the next one's affair."""
    begun = data_dir / "postgres.locks" / "change"
    for moment in range(6):
        begun.unlink(missing_ok=True)
        parent = start_holder(data_dir)
        await until(begun.exists)
        await asyncio.sleep(moment / 40)
        parent.kill()
        parent.wait()

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await answer_of(dsn, "select what from kept") == "as it was"
    assert server_is_gone(data_dir)


@pytest.mark.slow
async def test_a_half_made_cluster_is_made_anew(empty, start_holder):
    """A kill -9 in the middle of initdb leaves nothing that stands in the way."""
    parent = start_holder(empty)
    await until((empty / "postgres.making" / "global").exists)
    parent.kill()
    parent.wait()
    assert not (empty / "postgres").exists()

    async with EmbeddedPostgres(empty) as dsn:
        assert await answer_of(dsn, "select 1") == 1
    assert not (empty / "postgres.making").exists()


@pytest.mark.slow
async def test_waiting_is_told(data_dir):
    """While another process starts or stops the server, a line a second says so."""
    lines: list[str] = []
    other = FileLock(place_of(data_dir).locks / "change")
    other.take()
    start = asyncio.create_task(EmbeddedPostgres(data_dir, report=lines.append).start())
    await until(lambda: lines)
    start.cancel()
    await asyncio.wait([start])
    other.release()

    assert lines == ["waiting for another process that starts or stops Postgres … 1 s"]
