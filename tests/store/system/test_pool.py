from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from festinger.config import DatabaseSettings
from festinger.errors import ConfigurationError, DatabaseUnavailable, Overloaded
from festinger.store.postgres import PostgresStore
from festinger.store.system import pool as pools
from festinger.store.system.pool import Pool, acquired, close_pool, open_pool
from festinger.store.system.tenancy import transaction
from tests.conftest import DATABASE
from tests.databases import ASLEEP, answer_of, command, dsn_of
from tests.waiting import until

# What goes away by itself, by PostgreSQL's codes.
AWAY = {
    "25006": "read_only_sql_transaction",
    "25P03": "idle_in_transaction_session_timeout",
    "40001": "serialization_failure",
    "40P01": "deadlock_detected",
    "53100": "disk_full",
    "53200": "out_of_memory",
    "53300": "too_many_connections",
    "55P03": "lock_not_available",
    "57014": "query_canceled",
    "57P01": "admin_shutdown",
    "57P03": "cannot_connect_now",
    "58030": "io_error",
    "08006": "connection_failure",
}

# What stays wrong, however often it is tried.
DEFECTS = {
    "22012": "division_by_zero",
    "23505": "unique_violation",
    "42601": "syntax_error",
    "42P01": "undefined_table",
    "XX000": "internal_error",
}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second is long enough to wait for a connection."""
    monkeypatch.setattr(pools, "ACQUIRE_SECONDS_MAX", 0.5)


async def ask(pool: Pool, question: str, *arguments: object) -> object:
    """Return the answer to a question, over a connection of the pool."""
    async with acquired(pool) as connection:
        return await connection.fetchval(question, *arguments)


async def end(dsn: str, pid: int) -> None:
    """End one of the server's processes, and wait until this process knows."""
    await command(dsn, f"select pg_terminate_backend({pid}, 5000)")
    await asyncio.sleep(0.05)


async def all_connections_work(pool: Pool) -> bool:
    """Return whether as many connections as there may be are to be had at once."""
    async with AsyncExitStack() as stack:
        connections = [
            await stack.enter_async_context(acquired(pool))
            for _ in range(pool.get_max_size())
        ]
        answers = [await each.fetchval("select 1") for each in connections]
    return answers == [1] * pool.get_max_size()


def parent_of(pid: int) -> int:
    """Return the process that started a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@contextmanager
def hanging(*pids: int) -> Iterator[None]:
    """Processes that neither work nor die."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


# --- what is a defect, and what is not


@pytest.mark.parametrize(
    ("statement", "argument", "error"),
    [
        ("select $1::int", "seven", asyncpg.DataError),
        ("select $1::int", 2**40, asyncpg.DataError),
        ("select 1", 1, asyncpg.InterfaceError),
    ],
)
async def test_wrong_arguments_are_our_defect(pool, statement, argument, error):
    """A value that the driver refuses to send is not taken for a database that is away."""
    with pytest.raises(error):
        await ask(pool, statement, argument)


async def test_wrong_arguments_are_a_defect_in_a_transaction_too(pool):
    """The transaction is rolled back, and the error is the driver's."""
    with pytest.raises(asyncpg.DataError):
        async with acquired(pool) as connection, connection.transaction():
            await connection.fetchval("select $1::int", "seven")

    assert await all_connections_work(pool)


async def test_two_users_of_one_connection_are_our_defect(pool):
    """A connection that is there, and used wrongly, is not one that was lost."""
    with pytest.raises(asyncpg.InterfaceError, match="another operation"):
        async with acquired(pool) as connection:
            await asyncio.gather(
                connection.fetchval("select pg_sleep(0.1)"),
                connection.fetchval("select 1"),
            )


@pytest.mark.parametrize("code", AWAY, ids=AWAY.get)
async def test_what_goes_away_is_tried_again(pool, code):
    """The database's report of its own state is no answer to the statement."""
    statement = f"do $$ begin raise exception using errcode = '{code}'; end $$"

    with pytest.raises(DatabaseUnavailable):
        await ask(pool, statement)


@pytest.mark.parametrize("code", DEFECTS, ids=DEFECTS.get)
async def test_what_stays_wrong_is_told(pool, code):
    """The database's report about a statement reaches its caller."""
    statement = f"do $$ begin raise exception using errcode = '{code}'; end $$"

    with pytest.raises(asyncpg.PostgresError):
        await ask(pool, statement)


async def test_full_disk_is_named(pool):
    """The message says what to do, which trying again is not."""
    statement = "do $$ begin raise exception using errcode = 'disk_full'; end $$"

    with pytest.raises(DatabaseUnavailable, match="disk of the database is full"):
        await ask(pool, statement)


# --- connections that are lost


async def test_connection_that_breaks_between_two_statements(pool, database):
    """The next statement finds the database away, and the next connection finds it back."""

    async def use() -> None:
        async with acquired(pool) as connection:
            await end(database, connection.get_server_pid())
            await connection.fetchval("select 1")

    with pytest.raises(DatabaseUnavailable):
        await use()
    assert await all_connections_work(pool)


async def test_connection_that_breaks_in_a_transaction(pool, database):
    """A transaction that cannot be ended either hides nothing."""

    async def use() -> None:
        async with acquired(pool) as connection, connection.transaction():
            await end(database, connection.get_server_pid())
            await connection.fetchval("select 1")

    with pytest.raises(DatabaseUnavailable):
        await use()
    assert await all_connections_work(pool)


async def test_transaction_that_cannot_be_committed(pool, database):
    """A connection that broke after the last statement has committed nothing."""

    async def use() -> None:
        async with acquired(pool) as connection, connection.transaction():
            await connection.execute("create table half_done ()")
            await end(database, connection.get_server_pid())

    with pytest.raises(DatabaseUnavailable):
        await use()
    assert await ask(pool, "select to_regclass('half_done')") is None


async def test_connection_that_breaks_under_a_statement(pool, database):
    """Whoever waits for an answer is told that none will come."""
    async with acquired(pool) as connection:
        pid = connection.get_server_pid()
    asking = asyncio.create_task(ask(pool, "select pg_sleep(60)"))
    await until(lambda: answer_of(database, ASLEEP))
    await end(database, pid)

    with pytest.raises(DatabaseUnavailable):
        await asking
    assert await all_connections_work(pool)


async def test_connection_that_breaks_after_the_work_is_done(pool, database):
    """An answer that was given stays given."""
    async with acquired(pool) as connection:
        answer = await connection.fetchval("select 1")
        await end(database, connection.get_server_pid())

    assert answer == 1
    assert await all_connections_work(pool)


@pytest.mark.slow
async def test_connection_that_hangs_after_the_work_is_done(database, short):
    """An answer over it stays; its next user finds out, and it is replaced."""
    settings = DATABASE.model_copy(update={"statement_seconds_max": 1.0})
    async with await open_pool(database, settings) as pool, AsyncExitStack() as stack:
        async with acquired(pool) as connection:
            answer = await connection.fetchval("select 1")
            stack.enter_context(hanging(connection.get_server_pid()))

        assert answer == 1
        with pytest.raises(DatabaseUnavailable):
            await ask(pool, "select 1")
        assert await all_connections_work(pool)


async def test_closed_pool_is_a_database_that_is_away(pool):
    """A caller after the end is not told of a defect."""
    await pool.close()

    with pytest.raises(DatabaseUnavailable, match="being closed"):
        await ask(pool, "select 1")


async def test_database_that_refuses_us_later(pool, database):
    """A server that is let in no more goes on, and says why it cannot write."""
    name = await ask(pool, "select current_database()")
    other = database.replace(f"/{name}", "/festinger")
    closed = f"alter database {name} with allow_connections "
    await command(other, closed + "false")
    await pool.expire_connections()

    with pytest.raises(DatabaseUnavailable, match="not currently accepting"):
        await ask(pool, "select 1")

    await command(other, closed + "true")
    assert await all_connections_work(pool)


# --- too few connections


async def test_exhausted_pool_is_not_a_database_that_is_away(pool, short):
    """The message names the setting; afterwards every connection is there."""
    async with AsyncExitStack() as stack:
        for _ in range(DATABASE.connections_max):
            await stack.enter_async_context(acquired(pool))

        with pytest.raises(
            Overloaded, match=r"all 4 connections .* database\.connections_max"
        ):
            await ask(pool, "select 1")

    assert await all_connections_work(pool)


async def test_who_waits_for_a_connection_gets_the_next(pool):
    """A pool that is exhausted for a moment is waited for."""
    async with AsyncExitStack() as stack:
        for _ in range(DATABASE.connections_max):
            await stack.enter_async_context(acquired(pool))
        asking = asyncio.create_task(ask(pool, "select 1"))
        await asyncio.sleep(0.05)

    assert await asking == 1


async def test_who_goes_while_waiting_takes_nothing_along(pool):
    """Callers that are cancelled at any point leave all connections behind."""
    for moment in range(20):
        asking = [asyncio.create_task(ask(pool, "select 1")) for _ in range(12)]
        await asyncio.sleep(moment / 2000)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    assert await all_connections_work(pool)


@pytest.mark.slow
async def test_connection_that_cannot_be_made_is_a_database_that_is_away(pool, short):
    """While the server takes nobody in, the pool is not exhausted, however few it has."""
    async with acquired(pool) as connection:
        with hanging(parent_of(connection.get_server_pid())):
            with pytest.raises(DatabaseUnavailable):
                await ask(pool, "select 1")

            assert await connection.fetchval("select 1") == 1

    assert await all_connections_work(pool)


# --- a server that hangs


@pytest.mark.slow
async def test_hanging_backend_is_given_up(database, short):
    """A statement that is not answered ends in time, and the connection is replaced."""
    settings = DatabaseSettings(connections_max=2, statement_seconds_max=0.5)
    async with await open_pool(database, settings) as pool:
        async with acquired(pool) as connection:
            pid = connection.get_server_pid()
        with hanging(pid):
            with pytest.raises(DatabaseUnavailable):
                await ask(pool, "select 1")

            assert await all_connections_work(pool)


@pytest.mark.slow
async def test_hanging_server_is_a_database_that_is_away(database, short):
    """
    If the whole server hangs, in transactions and out of them, everybody is told; when
    it goes on, so does the pool.
    """
    settings = DatabaseSettings(connections_max=4, statement_seconds_max=0.5)
    async with await open_pool(database, settings) as pool:
        async with AsyncExitStack() as stack:
            connections = [
                await stack.enter_async_context(acquired(pool)) for _ in range(2)
            ]
            pids = [each.get_server_pid() for each in connections]

        async def change() -> None:
            async with acquired(pool) as connection, connection.transaction():
                await connection.execute("create table half_done ()")

        with hanging(*pids, parent_of(pids[0])):
            ended = await asyncio.gather(
                change(),
                *(ask(pool, "select 1") for _ in range(3)),
                return_exceptions=True,
            )

        assert {type(error) for error in ended} == {DatabaseUnavailable}
        assert await all_connections_work(pool)


@pytest.mark.slow
async def test_hanging_server_does_not_keep_us(database, monkeypatch):
    """A stop does not wait for a server that never answers."""
    monkeypatch.setattr(pools, "CLOSE_SECONDS_MAX", 0.5)
    pool = await open_pool(database, DATABASE)
    async with acquired(pool) as connection:
        pid = connection.get_server_pid()
    with hanging(pid):
        await asyncio.wait_for(close_pool(pool), 10)

    assert pool.get_size() == 0


# --- others that hang


async def test_limits_on_what_others_wait_for(pool):
    """Every transaction has them, and leaves none behind in its session."""
    names = ("lock_timeout", "idle_in_transaction_session_timeout")
    async with transaction(pool, "default") as connection:
        within = [await connection.fetchval(f"show {name}") for name in names]

    assert within == ["5s", "3s"]
    assert [await ask(pool, f"show {name}") for name in names] == ["0", "0"]


@pytest.mark.slow
async def test_lock_is_not_waited_for_for_ever(database, monkeypatch):
    """A caller who cannot have a lock in time is told that the database is away."""
    monkeypatch.setattr(pools, "LOCK_SECONDS_MAX", 1)
    async with (
        await open_pool(database, DATABASE) as pool,
        acquired(pool) as holder,
        holder.transaction(),
    ):
        await holder.execute("lock table heads")

        with pytest.raises(DatabaseUnavailable) as caught:
            async with transaction(pool, "default") as connection:
                await connection.fetchval("select version from heads")

    assert isinstance(caught.value.__cause__, asyncpg.LockNotAvailableError)


@pytest.mark.slow
async def test_server_that_hangs_in_a_transaction_loses_its_locks(
    database, monkeypatch
):
    """Others go on without it; what it says when it comes back is not believed."""
    monkeypatch.setattr(pools, "IDLE_IN_TRANSACTION_SECONDS_MAX", 1)
    add = "update heads set version = version + 100"
    async with await open_pool(database, DATABASE) as pool:

        async def hang() -> None:
            async with transaction(pool, "default") as holder:
                await holder.execute(add)
                await ask(pool, "update heads set version = 1 returning version")
                await holder.execute(add)

        with pytest.raises(DatabaseUnavailable):
            await hang()
        assert await ask(pool, "select version from heads") == 1


async def test_pooler_takes_the_place_of_the_database(database):
    """Connections go there, and nothing is prepared that outlives its transaction."""
    settings = DATABASE.model_copy(update={"pooler": database})
    async with await open_pool("postgresql://nowhere", settings) as pool:
        async with transaction(pool, "default") as connection:
            await connection.fetchval("select $1::int", 1)
        await pool.ping()

        assert await ask(pool, "select count(*) from pg_prepared_statements") == 0


# --- opening


@pytest.mark.parametrize(
    "wrong", ["&sslmode=whatever", "&target_session_attrs=whatever"]
)
async def test_setting_that_cannot_be_used_is_refused_at_once(database, wrong):
    """An error that waiting does not mend is a mistake of the configuration."""
    with pytest.raises(ConfigurationError, match="FESTINGER_DSN"):
        await open_pool(database + wrong, DATABASE)


@pytest.fixture
async def standby(database: str) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Make the test's database read-only, as a standby is; return what promotes it."""
    name = urlsplit(database).path.lstrip("/")
    beside = dsn_of(database, "postgres")
    setting = "default_transaction_read_only"
    await command(beside, f"alter database {name} set {setting} = on")

    async def promote() -> None:
        await command(beside, f"alter database {name} reset {setting}")

    yield promote
    await promote()


async def test_start_waits_for_the_promotion_of_a_standby(database, standby):
    """A database that cannot be written yet is waited for, as one that is not there."""
    said: list[str] = []
    opening = asyncio.create_task(open_pool(database, DATABASE, report=said.append))
    await until(lambda: said or opening.done())

    assert "read-only" in said[0]

    await standby()
    async with await opening as pool:
        assert await PostgresStore(pool).add_tenant("late")


async def test_database_that_stays_read_only_is_named(database, standby):
    """The start ends with the reason, once it has waited long enough."""
    settings = DATABASE.model_copy(update={"start_seconds_max": 0})

    with pytest.raises(DatabaseUnavailable, match="read-only"):
        await open_pool(database, settings)


@pytest.mark.parametrize("sign", "/#?[]")
async def test_password_that_ends_an_address_is_not_told(sign):
    """An unreadable address is refused with advice, and quoted nowhere."""
    with pytest.raises(ConfigurationError, match="%2F") as caught:
        await open_pool(f"postgresql://festinger:hunter2{sign}x@localhost/y", DATABASE)

    assert "hunter2" not in caught.value.message
    assert caught.value.__suppress_context__


async def test_refused_start_leaves_no_connection(database):
    """A pool whose first connection cannot be used is closed again."""
    refused = database.replace("festinger@", "nobody_of_that_name@")

    with pytest.raises(ConfigurationError, match="nobody_of_that_name"):
        await open_pool(refused, DATABASE)


async def test_cancelled_statement_leaves_no_transaction(pool):
    """
    Whenever somebody is cancelled, the next user of the connection can begin anew: also
    between the preparing of a statement and its execution.
    """

    async def ask(number):
        async with acquired(pool) as connection:
            # Other words each time, so that it is prepared each time.
            await connection.fetch(
                f"select token from soas where id = $1 -- {number}", 1
            )

    for number in range(300):
        asking = asyncio.create_task(ask(number))
        await asyncio.sleep(number % 30 / 10_000)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        async with (
            acquired(pool) as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            assert await connection.fetchval("select 1") == 1
