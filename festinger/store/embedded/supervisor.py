"""Embedded Postgres server that runs while at least one process holds it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from types import TracebackType

import asyncpg

from festinger.errors import DatabaseUnavailable
from festinger.store.embedded import cluster, processes
from festinger.store.embedded.locks import FileLock, ServerShare
from festinger.store.embedded.place import SYSTEM_DIR, ServerPaths, settle
from festinger.store.embedded.waiting import ServerWatch, WaitProgress

POLL_SECONDS = 0.01  # a warm start takes a tenth of a second

CONNECT_SECONDS = 10.0

# A server writes its process id within hundredths of a second on an idle machine.
NUMBER_SECONDS = 5.0


@dataclass(eq=False)
class EmbeddedPostgres:
    """A Postgres server in a data directory, shared by all processes that hold it.

    The first holder starts it, the last one stops it. If a holder is killed, the server
    continues to run, and the next process that starts takes it over.

        async with EmbeddedPostgres(data_dir) as dsn:
            pool = await asyncpg.create_pool(dsn)

    Args:
        data_dir: The data directory; created if it is missing.
        report: Called about every second with a progress line while an operation lasts.
        system_dir: The directory for root's cluster if its user cannot enter
            `data_dir`.
    """

    data_dir: Path
    _: KW_ONLY
    report: Callable[[str], None] = lambda line: None
    system_dir: Path = SYSTEM_DIR
    _place: ServerPaths | None = field(default=None, init=False)
    _share: ServerShare | None = field(default=None, init=False)

    async def start(self) -> str:
        """Become a holder of the server, creating or starting it if necessary.

        Returns:
            The DSN to connect with.

        Raises:
            ConfigurationError: The data directory or PostgreSQL cannot be used.
            DataDirectoryInUse: Processes that cannot be stopped from here use it.
            DatabaseUnavailable: Postgres does not start; the message contains its log.
        """
        place = await asyncio.to_thread(settle, self.data_dir, self.system_dir)
        # `start` is called again to restart a server that ended.
        held = self._share is not None
        share = self._share or ServerShare(place.locks / "holders")
        async with self._changing(place) as progress:
            # The count is right only within `_changing`.
            alone = share.join()
            try:
                await self._bring_up(place, alone, progress)
            except BaseException:
                # A process that was a holder before remains one, and may retry.
                if not held and share.leave():
                    await _call_off(place)
                raise
        self._place, self._share = place, share
        return place.dsn

    async def stop(self) -> None:
        """Release the server; the last holder stops it and waits until it has ended."""
        place, share = self._place, self._share
        if place is None or share is None:
            return
        async with self._changing(place) as progress:
            self._share = None
            if share.leave():
                await self._shut_down(place, progress)

    async def __aenter__(self) -> str:
        return await self.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()

    @contextlib.asynccontextmanager
    async def _changing(self, place: ServerPaths) -> AsyncIterator[WaitProgress]:
        """Hold the lock `change`, which excludes starts and stops elsewhere."""
        lock = FileLock(place.locks / "change")
        with WaitProgress(self.report) as progress:
            progress.says("waiting for another process that starts or stops Postgres")
            # There is no event for a lock that another process releases.
            while not lock.take():  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)
            try:
                yield progress
            finally:
                lock.release()

    async def _bring_up(
        self, place: ServerPaths, alone: bool, progress: WaitProgress
    ) -> None:
        server = FileLock(place.locks / "server")
        watch = ServerWatch(place, alone=alone)
        log_begins_at: int | None = None
        progress.says("waiting for the Postgres that is running already")
        while True:
            # If the lock is free, no process of a server is left.
            if server.take():
                try:
                    # It was launched, and ended before it was ready.
                    if log_begins_at is not None:
                        raise _gave_up(place, log_begins_at)
                    log_begins_at = await self._launch(place, server, progress)
                finally:
                    # The server's processes have inherited it: closing ours leaves it to them.
                    server.hand_over()
            # A recovering server logs every attempt to connect, so none is made before
            # the file says "ready". Only a connection proves that the server is ready.
            seen = cluster.postmaster(place)
            if seen is not None and seen.status == "ready" and await _answers(place):
                return
            watch.look()
            await asyncio.sleep(POLL_SECONDS)

    async def _launch(
        self, place: ServerPaths, lock: FileLock, progress: WaitProgress
    ) -> int:
        try:
            return await self._launched(place, lock, progress)
        except OSError as error:
            what = "the database could not be started"
            raise cluster.failure(place, what, str(error)) from error

    async def _launched(
        self, place: ServerPaths, lock: FileLock, progress: WaitProgress
    ) -> int:
        # A server whose data directory was deleted lost its lock with it, and has our socket.
        if place.socket.exists():
            await _end_leftovers(place)
        binaries = await asyncio.to_thread(cluster.programs, place, self.system_dir)
        if not place.cluster.exists():
            progress.says("making the database")
            await cluster.make(place, self.data_dir, binaries, lock.descriptor)
        # Only under the lock `server`, when nothing serves the cluster.
        crashed = cluster.clear_stale(place)
        progress.says(
            "Postgres is recovering after a crash"
            if crashed
            else f"starting PostgreSQL {binaries.version}"
        )
        return await cluster.launch(place, binaries, lock.descriptor)

    async def _shut_down(self, place: ServerPaths, progress: WaitProgress) -> None:
        progress.says("waiting for Postgres to stop")
        server = FileLock(place.locks / "server")
        watch = ServerWatch(place, alone=True)
        stopped: int | None = None
        while not server.take():
            # A server that was just restarted has not written its process id yet.
            stopped = stopped or _tell_to_stop(place)
            watch.look()
            await asyncio.sleep(POLL_SECONDS)
        server.release()
        if stopped is not None:
            processes.reap(stopped)
        with contextlib.suppress(OSError):
            place.sockets.rmdir()


async def _answers(place: ServerPaths) -> bool:
    """Return whether the server accepts connections; create the database if missing."""
    try:
        connection = await asyncpg.connect(place.dsn, timeout=CONNECT_SECONDS)
    # All connections are in use, so it takes some.
    except asyncpg.TooManyConnectionsError:
        return True
    # `initdb` makes no database of that name: the first look does, the next one finds it.
    except asyncpg.InvalidCatalogNameError:
        await _create_database(place)
        return False
    except (
        OSError,  # nobody listens, or TimeoutError
        asyncpg.PostgresConnectionError,
        asyncpg.OperatorInterventionError,  # starting up, recovering, shutting down
    ):
        return False
    except asyncpg.PostgresError as error:
        raise DatabaseUnavailable(
            f"Postgres in {place.cluster} refuses festinger: {error}. Restore the role "
            "and the database festinger, or set data_dir to another directory"
        ) from None
    await connection.close()
    return True


async def _create_database(place: ServerPaths) -> None:
    try:
        # `postgres` is the database that is always there.
        connection = await asyncpg.connect(
            place.dsn, database="postgres", timeout=CONNECT_SECONDS
        )
        try:
            await connection.execute("create database festinger")
        finally:
            await connection.close()
    except asyncpg.PostgresError as error:
        what = "the database could not be made"
        raise cluster.failure(place, what, str(error)) from error


async def _end_leftovers(place: ServerPaths) -> None:
    """End a server whose data directory was deleted and that still has our socket."""
    while leftovers := processes.of_server(place.name):
        processes.end_at_once(leftovers)
        await asyncio.sleep(0.1)


async def _call_off(place: ServerPaths) -> None:
    """Stop a server that is starting, even if it has not written its process id yet."""
    server = FileLock(place.locks / "server")
    with contextlib.suppress(TimeoutError):  # whatever holds the lock is not ours
        async with asyncio.timeout(NUMBER_SECONDS):
            while not server.take():
                # The end of its processes is not awaited: they hold the lock `server` until then.
                if _tell_to_stop(place) is not None:
                    return
                await asyncio.sleep(POLL_SECONDS)
            server.release()


def _tell_to_stop(place: ServerPaths) -> int | None:
    """Ask the postmaster for a fast shutdown; return its process id, or None."""
    seen = cluster.postmaster(place)
    if seen is None or not processes.is_postmaster(seen.pid, place.name):
        return None
    # SIGINT ends sessions at once, and leaves a checkpoint; SIGTERM would wait for them.
    processes.send(seen.pid, signal.SIGINT)
    return seen.pid


def _gave_up(place: ServerPaths, log_begins_at: int) -> DatabaseUnavailable:
    said = cluster.log_lines(place, log_begins_at)
    return cluster.failure(place, "Postgres ended while it started", said)
