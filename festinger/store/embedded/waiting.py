"""Waits without a time limit that report progress and detect a hung server."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Sequence

from festinger.errors import DataDirectoryInUse
from festinger.store.embedded import cluster, processes
from festinger.store.embedded.place import ServerPaths

PROGRESS_SECONDS = 1.0

# Backends exit within milliseconds after their postmaster died, unless they compute.
ORPHAN_SECONDS = 5.0

# Normally these processes start and end within milliseconds of each other.
STARTLESS_SECONDS = 5.0

# If no process of the server is visible for that long while the lock is held, the
# processes run in another container.
INVISIBLE_SECONDS = 20.0


class WaitProgress:
    """Progress reporter of a wait, called with a line about every second."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._timer: asyncio.TimerHandle | None = None

    def says(self, what: str) -> None:
        """Set the description of the wait; the first line follows after a second."""
        self._what = what
        self._since = time.monotonic()
        self._wait()

    def __enter__(self) -> WaitProgress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self) -> None:
        if self._timer is not None:
            # A new description begins its time anew.
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(PROGRESS_SECONDS, self._tick)

    def _tick(self) -> None:
        self._wait()
        self._report(f"{self._what} … {time.monotonic() - self._since:.0f} s")


class ServerWatch:
    """Watcher of a running server that does not respond or does not end.

    Args:
        alone: Whether this process is the only holder.
    """

    def __init__(self, place: ServerPaths, *, alone: bool) -> None:
        self._place = place
        self._alone = alone
        self._alive_at = self._starting_at = self._looked_at = time.monotonic()

    def look(self) -> None:
        """Check the server, at most once a second, and end it if it hangs.

        Raises:
            DataDirectoryInUse: The server cannot be seen or ended by this process.
        """
        now = time.monotonic()
        # Looking lists all processes of the machine, and callers look a hundred times a second.
        if now - self._looked_at < PROGRESS_SECONDS:
            return
        self._looked_at = now
        pids = processes.of_server(self._place.name)
        parents = [p for p in pids if processes.is_postmaster(p, self._place.name)]
        if parents:
            # A postmaster is there: what follows is about those that wait in vain.
            self._alive_at = now
            self._mourn_socket(parents[0])
            self._mourn_startup(parents[0], pids)
        # A killed postmaster leaves its children, which hold the lock until they notice.
        elif pids and now - self._alive_at >= ORPHAN_SECONDS:
            processes.end_at_once(pids)
        elif not pids and now - self._alive_at >= INVISIBLE_SECONDS:
            raise DataDirectoryInUse(
                f"processes that cannot be seen from here use {self._place.cluster}, "
                "perhaps in another container. Stop them, or set data_dir to another "
                "directory"
            )

    def _mourn_startup(self, pid: int, pids: Sequence[int]) -> None:
        """End a server that waits forever for a startup process that has ended."""
        # If the startup process fails, for example on a full disk, Postgres 18 may miss its end and
        # continue without one: then it neither starts nor runs.
        titles = " ".join(" ".join(processes.arguments(each)) for each in pids)
        # The background writer runs beside the startup process, the WAL writer after it.
        lost = "background writer" in titles and not (
            " startup" in titles or " walwriter" in titles
        )
        if not lost:
            self._starting_at = self._looked_at
        elif self._looked_at - self._starting_at >= STARTLESS_SECONDS:
            processes.end_at_once([pid])

    def _mourn_socket(self, pid: int) -> None:
        """End a server whose socket was deleted, if this process is the only holder."""
        seen = cluster.postmaster(self._place)
        if seen is None or seen.status != "ready" or self._place.socket.exists():
            return
        # Other holders may see the socket, in another container or another `/tmp`.
        if not self._alone:
            raise DataDirectoryInUse(
                f"the socket {self._place.socket} of Postgres (process {pid}) is not "
                "to be seen from here. Stop the other festinger processes of this data "
                "directory first",
                pid=str(pid),
            )
        processes.send(pid, signal.SIGINT)
