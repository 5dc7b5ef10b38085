"""Waiting without a limit, and still telling what for, and noticing what never comes."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Sequence

from festinger.errors import DataDirectoryInUse
from festinger.store.embedded import cluster, processes
from festinger.store.embedded.place import ServerPaths

PROGRESS_SECONDS = 1.0

# Backends notice within milliseconds that their postmaster died, unless they compute.
ORPHAN_SECONDS = 5.0

# In good order they come and go within milliseconds of each other.
STARTLESS_SECONDS = 5.0

# After that long without any sign of the processes that hold the lock, they are not on
# this side of a container's wall.
INVISIBLE_SECONDS = 20.0


class WaitProgress:
    """Says about every second what is being waited for, and for how long already.

    Args:
        report: Gets the lines.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._timer: asyncio.TimerHandle | None = None

    def says(self, what: str) -> None:
        """Sets what is being waited for now; the first line comes in a second."""
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
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(PROGRESS_SECONDS, self._tick)

    def _tick(self) -> None:
        self._wait()
        self._report(f"{self._what} … {time.monotonic() - self._since:.0f} s")


class ServerWatch:
    """Finds out why a server that has processes does not answer, or does not end.

    Args:
        place: The server's.
        alone: Whether nobody else holds it.
    """

    def __init__(self, place: ServerPaths, *, alone: bool) -> None:
        self._place = place
        self._alone = alone
        self._alive_at = self._starting_at = self._looked_at = time.monotonic()

    def look(self) -> None:
        """Looks about once a second, and does what helps.

        Raises:
            DataDirectoryInUse: Nothing that can be done from here helps.
        """
        now = time.monotonic()
        if now - self._looked_at < PROGRESS_SECONDS:
            return
        self._looked_at = now
        pids = processes.of_server(self._place.name)
        parents = [p for p in pids if processes.is_postmaster(p, self._place.name)]
        if parents:
            self._alive_at = now
            self._mourn_socket(parents[0])
            self._mourn_startup(parents[0], pids)
        elif pids and now - self._alive_at >= ORPHAN_SECONDS:
            processes.end_at_once(pids)
        elif not pids and now - self._alive_at >= INVISIBLE_SECONDS:
            raise DataDirectoryInUse(
                f"processes that cannot be seen from here use {self._place.cluster}, "
                "perhaps in another container. Stop them, or set data_dir to another "
                "directory"
            )

    def _mourn_startup(self, pid: int, pids: Sequence[int]) -> None:
        """Ends a server that waits for ever for a process that has ended.

        If the process that recovers gives up, as on a full disk, Postgres 18 may miss it
        and goes on without one: then it neither starts nor runs.
        """
        titles = " ".join(" ".join(processes.arguments(each)) for each in pids)
        lost = "background writer" in titles and not (
            " startup" in titles or " walwriter" in titles
        )
        if not lost:
            self._starting_at = self._looked_at
        elif self._looked_at - self._starting_at >= STARTLESS_SECONDS:
            processes.end_at_once([pid])

    def _mourn_socket(self, pid: int) -> None:
        """Ends a server whose socket was swept away, if nobody else has it."""
        seen = cluster.postmaster(self._place)
        if seen is None or seen.status != "ready" or self._place.socket.exists():
            return
        if not self._alone:
            raise DataDirectoryInUse(
                f"the socket {self._place.socket} of Postgres (process {pid}) is not "
                "to be seen from here. Stop the other festinger processes of this data "
                "directory first",
                pid=str(pid),
            )
        processes.send(pid, signal.SIGINT)
