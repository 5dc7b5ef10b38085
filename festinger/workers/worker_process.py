"""Worker process that reads documents and evaluates conversations.

It is a process of its own, so that neither delays the answers to prompts. It has no
world, no database and no network; extractors of other packages also run in it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from festinger.core.review.conversation import (
    ExtractionCase,
    InteractionReading,
    consider,
)
from festinger.core.review.extractors import Extractor, builtin, further
from festinger.core.review.findings import (
    DividedDocument,
    DocumentFindings,
    DocumentPlace,
    StoredDocument,
    divide,
    sweep,
)
from festinger.errors import Overloaded

SECONDS_MAX = 30.0
"""The limit of a task's computation time, in seconds, for one or a few documents."""
# An idle process gives its memory back; the next task starts another one.
IDLE_SECONDS = 60.0
NICENESS = 5
"""The nice level of the process: answers to prompts have priority."""
OUTSIDE = frozenset({-signal.SIGHUP, -signal.SIGINT, -signal.SIGTERM})
"""The exit codes of a process that was ended from outside, not by a task."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class WorkerProcess:
    """Client of a worker process that divides and sweeps documents.

    Args:
        idle_seconds: The time without a task after which the process ends, in seconds.
    """

    def __init__(
        self,
        everyday: Set[str] = frozenset(),
        *,
        seconds_max: float = SECONDS_MAX,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._everyday = frozenset(everyday)
        self._seconds_max = seconds_max
        self._idle_seconds = idle_seconds
        # One thread runs the tasks in order, so that the event loop never blocks.
        self._thread = ThreadPoolExecutor(1, "apart")
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._closed = False

    async def divide(
        self, documents: Sequence[tuple[DocumentPlace, bytes]], bytes_max: int
    ) -> list[DividedDocument]:
        """Divide documents into chunks; a division may hold a problem instead."""
        tasks = [(place, data, bytes_max) for place, data in documents]
        return await self._have(_WorkerTasks.divide, tasks, _undivided)

    async def sweep(
        self, documents: Sequence[StoredDocument]
    ) -> list[DocumentFindings]:
        """Run the extractors on documents; report failures in the results."""
        return await self._have(_WorkerTasks.sweep, list(documents), _unswept)

    async def consider(self, case: ExtractionCase) -> InteractionReading | None:
        """Evaluate a model's extraction from a conversation; None on a timeout."""
        (reading,) = await self._have(_WorkerTasks.consider, [case], lambda _: None)
        return reading

    async def broken(self) -> list[str]:
        """Return a line for each extractor of another package that failed to load."""
        (lines,) = await self._have(_WorkerTasks.broken, [None], lambda _: [])
        return lines

    def close(self) -> None:
        """Kill the process, even during a task."""
        self._closed = True
        # Kill first: the thread may be waiting for a task, and `shutdown` waits for the thread.
        if process := self._process:
            process.kill()
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._end()

    async def _have(
        self,
        task: Callable[[_WorkerTasks, Any], _Result],
        items: list[_Item],
        failed: Callable[[_Item], _Result],
    ) -> list[_Result]:
        loop = asyncio.get_running_loop()
        # The process looks the name up in its own `_WorkerTasks`.
        return await loop.run_in_executor(
            self._thread, self._do, task.__name__, items, failed
        )

    def _do(
        self, task: str, items: list[_Item], failed: Callable[[_Item], _Result]
    ) -> list[_Result]:
        """Run a task in the process; if that ends the process, run it per item."""
        results: list[_Result] | None = self._ask(task, items)
        if results is not None:
            return results
        # Then it is this document: it is reported as unreadable.
        if len(items) == 1:
            return [failed(items[0])]
        # One of them is to blame, and the others should be read.
        return [result for item in items for result in self._do(task, [item], failed)]

    def _ask(self, task: str, items: list[Any]) -> Any:
        """Return the result of a task; None if the task ended the process."""
        # Tried once more if somebody ended the process: the second time it is no accident.
        ended = 0
        while ended < 2:
            if self._closed:
                raise Overloaded("the server is stopping; try again in a moment")
            connection = self._running()
            try:
                connection.send((task, items))
                return connection.recv()
            except (EOFError, OSError):
                code = self._end()
            # Somebody ended it (Ctrl-C, a service manager): no document is to blame.
            if code in OUTSIDE:
                ended += 1
            # A timer or too much memory ended it.
            elif code != 0 and not self._closed:
                return None
            # Otherwise it had just ended because it was idle.
        raise Overloaded("whatever reads documents is being ended; try again later")

    def _running(self) -> Connection:
        if self._process and self._process.poll() is not None:
            # It ended while idle, so no task is to blame.
            self._end()
        if self._connection is None:
            ours, theirs = Pipe()
            self._process = subprocess.Popen(
                # -P: nothing is imported from the current directory
                [sys.executable, "-P", "-m", __name__, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # Ctrl-C stops the server, which then ends the process.
                start_new_session=True,
            )
            theirs.close()
            with suppress(OSError):  # the first task reports it
                ours.send((self._everyday, self._seconds_max, self._idle_seconds))
            self._connection = ours
        return self._connection

    def _end(self) -> int:
        """End the process; return its exit code."""
        connection, process = self._connection, self._process
        self._connection = self._process = None
        if connection is None or process is None:
            return 0
        # It ends by itself when its pipe is closed.
        connection.close()
        with suppress(subprocess.TimeoutExpired):
            return process.wait(1.0)
        process.kill()
        return process.wait()


class _WorkerTasks:
    """The tasks of the worker process."""

    def __init__(self, everyday: Set[str]) -> None:
        # Loaded in the process only: code of other packages does not run in the server.
        others, self._broken = further()
        self._extractors: Sequence[Extractor] = (
            *builtin(_ExtractorVocabulary(everyday)),
            *others,
        )

    def divide(self, item: tuple[DocumentPlace, bytes, int]) -> DividedDocument:
        """Divide a document."""
        place, data, bytes_max = item
        return divide(place, data, self._extractors, bytes_max=bytes_max)

    def sweep(self, document: StoredDocument) -> DocumentFindings:
        """Sweep a document."""
        return sweep(document, self._extractors)

    def consider(self, case: ExtractionCase) -> InteractionReading | None:
        """Extract from a conversation."""
        return consider(case)

    def broken(self, _: None) -> list[str]:
        """Return extractors that cannot be loaded, with reasons."""
        return [f"{each.name}: {each.reason}" for each in self._broken]


class _ExtractorVocabulary:
    """Vocabulary of the extractors: the dictionary, with no known concepts."""

    def __init__(self, everyday: Set[str]) -> None:
        self._everyday = everyday

    def is_everyday(self, token: str) -> bool:
        """Return whether a token is an everyday word."""
        return token in self._everyday

    def is_known(self, token: str) -> bool:
        """Return False: no token is known here."""
        return False


def _undivided(item: tuple[DocumentPlace, bytes, int]) -> DividedDocument:
    digest = sha256(item[1]).digest()
    return DividedDocument(
        digest, problem="it takes too long to read, or too much memory"
    )


def _unswept(_: StoredDocument) -> DocumentFindings:
    return DocumentFindings(
        errors=["an extractor took too long over it, or too much memory"]
    )


def _serve(connection: Connection) -> None:
    """Run incoming tasks until the idle timeout or the end of the parent."""
    os.nice(NICENESS)
    everyday, seconds_max, idle_seconds = connection.recv()
    reading = _WorkerTasks(everyday)
    # False after the idle time; an error if the parent is gone.
    while connection.poll(idle_seconds):
        task, items = connection.recv()
        _limit(seconds_max)
        results = [getattr(reading, task)(item) for item in items]
        _limit(0)
        connection.send(results)


def _limit(seconds: float) -> None:
    """Set timers that end this process after a time, even if its parent is gone."""
    # CPU time, since a task is not to blame for a busy machine; a task that waits for
    # something else has four times as much real time.
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 4 * seconds)


if __name__ == "__main__":
    # The parent has gone or has closed the pipe: no error to be shown.
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        _serve(Connection(int(sys.argv[1])))
