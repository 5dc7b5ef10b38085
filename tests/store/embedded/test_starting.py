from __future__ import annotations

import asyncio
import os
import re
import subprocess

import pytest

from festinger.store.embedded import EmbeddedPostgres, binaries
from festinger.store.embedded.locks import ServerShare
from tests.databases import answer_of
from tests.store.embedded.clusters import place_of, postmaster_of, server_is_gone

MEANT_FOR_ANOTHER = {
    "PGDATA": "/nonexistent",
    "PGHOST": "nowhere.invalid",
    "PGPORT": "1",
    "PGDATABASE": "another",
    "PGUSER": "nobody_of_that_name",
    "PGSSLMODE": "verify-full",
    "PGSSLNEGOTIATION": "direct",
    "PGTARGETSESSIONATTRS": "standby",
    "PGGSSLIB": "none",
}


# --- starting and stopping


@pytest.mark.slow
async def test_an_empty_directory_becomes_a_database(empty):
    """A directory that does not exist becomes a database that answers."""
    async with EmbeddedPostgres(empty) as dsn:
        answer = await answer_of(
            dsn, "select current_database() || ' ' || current_user"
        )

    assert answer == "festinger festinger"


async def test_a_second_start_keeps_the_data(data_dir):
    """A row written before a stop is there after the next start."""
    async with EmbeddedPostgres(data_dir) as dsn:
        assert await answer_of(dsn, "select what from kept") == "as it was"


async def test_nothing_is_given_up_for_speed(data_dir):
    """A commit is on the disk, and nobody can come in over the network."""
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
        assert {
            name: await answer_of(dsn, f"show {name}") for name in expected
        } == expected


async def test_nobody_else_can_enter_the_socket_s_directory(data_dir):
    """Trusting every connection is sound, because only the owner can make one."""
    async with EmbeddedPostgres(data_dir):
        assert place_of(data_dir).sockets.stat().st_mode & 0o077 == 0


async def test_the_environment_changes_nothing(data_dir, monkeypatch):
    """Variables that are meant for another database do not lead astray."""
    for name, value in MEANT_FOR_ANOTHER.items():
        monkeypatch.setenv(name, value)

    async with EmbeddedPostgres(data_dir) as dsn:
        assert await answer_of(dsn, "select 1") == 1


async def test_the_postmaster_is_out_of_the_terminal_s_reach(data_dir):
    """Ctrl-C goes to the terminal's session, and the server is in another one."""
    async with EmbeddedPostgres(data_dir):
        assert os.getsid(postmaster_of(data_dir)) != os.getsid(0)


async def test_a_stop_leaves_nothing_running(data_dir):
    """When `stop` returns, the last process has ended and the socket is gone."""
    postgres = EmbeddedPostgres(data_dir)
    await postgres.start()
    await postgres.stop()

    assert server_is_gone(data_dir)
    assert not place_of(data_dir).sockets.exists()


async def test_stopping_twice_is_harmless(data_dir):
    """A second `stop` does nothing, also while another holder is there."""
    first, second = EmbeddedPostgres(data_dir), EmbeddedPostgres(data_dir)
    await first.start()
    dsn = await second.start()
    await first.stop()
    await first.stop()

    assert await answer_of(dsn, "select 1") == 1
    await second.stop()


@pytest.mark.slow
async def test_a_long_path_is_no_obstacle(empty, data_dir):
    """The limit of 107 bytes on a socket's path is not one on the data directory's."""
    long = data_dir.joinpath(*["a-rather-long-name-of-a-directory"] * 5)
    long.parent.mkdir(parents=True)
    data_dir.joinpath("postgres").rename(place_of(long).cluster)

    async with EmbeddedPostgres(long) as dsn:
        assert await answer_of(dsn, "select 1") == 1


async def test_an_odd_path_is_no_obstacle(data_dir):
    """A text that a shell would take for an order is part of a name."""
    odd = data_dir.with_name('it\'s $(false) `no` "order"')
    data_dir.rename(odd)

    async with EmbeddedPostgres(odd) as dsn:
        assert await answer_of(dsn, "select what from kept") == "as it was"


# --- several holders


@pytest.mark.slow
async def test_the_first_to_leave_does_not_stop_the_server(data_dir, start_holder):
    """Two processes share a server, and the one that stays goes on using it."""
    first = start_holder(data_dir)
    first.stdout.readline()
    async with EmbeddedPostgres(data_dir) as dsn:
        first.communicate()

        assert first.returncode == 0
        assert await answer_of(dsn, "select what from kept") == "as it was"

    assert server_is_gone(data_dir)


@pytest.mark.slow
async def test_many_may_start_at_once(data_dir, start_holder):
    """Of several processes that start together one starts the server, and all use it."""
    holders = [start_holder(data_dir) for _ in range(4)]
    answers = {holder.stdout.readline() for holder in holders}

    assert answers == {f"{place_of(data_dir).dsn}\n"}
    for holder in holders:
        holder.communicate()
    assert server_is_gone(data_dir)


@pytest.mark.slow
async def test_many_may_start_at_once_on_nothing(empty, start_holder):
    """
    Of several processes that start together in an empty directory one makes the
    database, and all use the same.
    """
    holders = [start_holder(empty) for _ in range(4)]
    dsns = {holder.stdout.readline().strip() for holder in holders}

    assert dsns == {place_of(empty).dsn}
    assert await answer_of(dsns.pop(), "select count(*) from pg_database") == 4
    assert not place_of(empty).making.exists()
    for holder in holders:
        holder.communicate()
    assert [holder.returncode for holder in holders] == [0] * 4
    assert server_is_gone(empty)


@pytest.mark.slow
async def test_the_last_to_leave_stops_the_server_cleanly(data_dir, start_holder):
    """Whoever leaves last leaves a database that needs no recovery."""
    holders = [start_holder(data_dir) for _ in range(2)]
    dsn, _ = [holder.stdout.readline().strip() for holder in holders]
    await answer_of(dsn, "insert into kept values ('at the end')")
    first = postmaster_of(data_dir)
    for holder in holders:
        assert postmaster_of(data_dir) == first
        holder.communicate()

    assert server_is_gone(data_dir)
    found = binaries.choose(None, data_dir)
    command = [found.program("pg_controldata"), place_of(data_dir).cluster]
    said = await asyncio.to_thread(subprocess.check_output, command, text=True)
    assert re.search(r"cluster state: +shut down\n", said)


@pytest.mark.slow
async def test_a_server_outlives_all_its_holders(data_dir, start_holder):
    """After a kill -9 of both its holders a server goes on, and belongs to who comes next."""
    holders = [start_holder(data_dir) for _ in range(2)]
    dsn, _ = [holder.stdout.readline().strip() for holder in holders]
    orphan = postmaster_of(data_dir)
    for holder in holders:
        holder.kill()
        holder.wait()
    assert await answer_of(dsn, "select what from kept") == "as it was"

    async with EmbeddedPostgres(data_dir):
        assert postmaster_of(data_dir) == orphan

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
    """The first to join is alone, and the last to leave is the last."""
    first, second = ServerShare(tmp_path / "holders"), ServerShare(tmp_path / "holders")

    assert first.join()
    assert not second.join()
    assert not first.leave()
    assert second.leave()
