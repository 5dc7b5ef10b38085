"""Steps of a server's start: lock the directory, open the store."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

from festinger.config import Settings
from festinger.errors import ConfigurationError, DataDirectoryInUse
from festinger.programs import StartProgress
from festinger.store.embedded import EmbeddedPostgres
from festinger.store.embedded.place import made_open
from festinger.store.language import dictionary
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import close_pool, open_pool, translated

DEFAULT_TENANT = "default"


@contextmanager
def sole_server(data_dir: Path) -> Iterator[None]:
    """Lock a data directory for one server.

    Raises:
        DataDirectoryInUse: Another server holds the lock.
        ConfigurationError: The directory cannot be written.
    """
    prepare(data_dir)
    lock = data_dir / "server.lock"
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"cannot open {lock}: {error.strerror}. Run as the user whose data it is, "
            "or choose another directory with --data-dir or FESTINGER_DATA_DIR"
        ) from None
    try:
        # The kernel releases it when the process ends, however that happens.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise DataDirectoryInUse(
            f"another Festinger serves {data_dir}. Stop it, or choose another "
            "directory with --data-dir or FESTINGER_DATA_DIR"
        ) from None
    try:
        yield
    finally:
        os.close(descriptor)


def prepare(data_dir: Path) -> None:
    """Create the data directory. Raises `ConfigurationError`."""
    try:
        made_open(data_dir)
        # Asked beforehand: the first write is deep in the start, and its error says less.
        writable = os.access(data_dir, os.W_OK | os.X_OK)
    except OSError as error:
        raise ConfigurationError(
            f"cannot use {data_dir} as the data directory: {error.strerror}. Choose "
            "another with --data-dir or FESTINGER_DATA_DIR"
        ) from None
    if not writable:
        raise ConfigurationError(
            f"the data directory {data_dir} is not writable. Choose another with "
            "--data-dir or FESTINGER_DATA_DIR"
        )


async def open_store(
    settings: Settings, progress: StartProgress, stack: AsyncExitStack
) -> tuple[PostgresStore, Callable[[], Awaitable[object]] | None]:
    """Open the database and migrate it to the newest schema.

    Returns:
        The store, and a function that restarts the embedded database; None if the
        database is external.
    """
    prepare(settings.data_dir)
    # Parsing the word list takes a while, and the event loop goes on meanwhile.
    words = await asyncio.to_thread(
        dictionary.load, settings.dictionary, settings.data_dir, progress.dictionary
    )
    dsn, revive = await open_database(settings, progress.say, stack)
    pool = await open_pool(dsn, settings.database, report=progress.say)
    stack.push_async_callback(close_pool, pool)
    # Behind the pool, which waits for a database that is just starting.
    async with translated():
        if await migrate(dsn, report=progress.say):
            progress.say("The database has the newest schema.")
    store = PostgresStore(pool, words)
    # The first start makes it; clients that name no memory use it.
    await store.add_tenant(DEFAULT_TENANT)
    return store, revive


async def open_database(
    settings: Settings, report: Callable[[str], None], stack: AsyncExitStack
) -> tuple[str, Callable[[], Awaitable[object]] | None]:
    """Start the embedded database or join its users, unless there is an external one.

    Returns:
        The DSN, and a function that restarts an embedded database.
    """
    if settings.database.dsn is not None:
        return settings.database.dsn, None
    postgres = EmbeddedPostgres(settings.data_dir, report=report)
    # Before the start: what has begun to start is stopped, too.
    stack.push_async_callback(postgres.stop)
    # To start it again is to restart it.
    return await postgres.start(), postgres.start
