"""What is said in conversations that a client marked is kept by the memory.

It is sent after the answer has begun, by a task of its own, and nobody waits for it. What
cannot be sent is tried again a few times and then dropped, and so is what comes while too
much waits; drops are counted. The memory keeps a turn once however often it comes, so a
request that may have arrived can be repeated.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import structlog

from festinger.api.v1 import extraction_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.config import Capture
from festinger.shim.recollection.asking import ROLES
from festinger.shim.recollection.memory import MemoryUnavailable
from festinger.shim.recollection.present import printable
from festinger.shim.recollection.segments import Segment
from festinger.shim.recollection.sessions import Session
from festinger.shim.system.identity import RequestCaller
from festinger.shim.system.refusals import MemoryRefused

log = structlog.get_logger(__name__)

CHARACTERS_MAX: Final = 200_000
"""Text of one request that is kept, the newest."""
WAITING_MAX: Final = 256
"""Requests that wait to be kept, at most."""
WAITING_CHARACTERS_MAX: Final = 4_000_000
"""Text that waits, at most."""
RETRY_SECONDS: Final = (1.0, 5.0)
"""Pauses before what could not be sent is tried again; after that it is dropped."""
CLOSE_SECONDS: Final = 1.0
"""How long what waits may take to be sent at a stop."""

Keep = Callable[[pb.CaptureRequest, RequestCaller], Awaitable[None]]
"""Has turns kept. Raises `MemoryUnavailable` or `MemoryRefused`."""


@dataclass(slots=True, eq=False)
class NewTurns:
    """What is new in a marked conversation.

    Attributes:
        characters: How much that is.
        offered: Whether it was offered to be kept.
    """

    request: pb.CaptureRequest
    caller: RequestCaller
    characters: int
    offered: bool = field(default=False, init=False)


def said_in(
    segments: Sequence[Segment],
    session: Session,
    caller: RequestCaller,
    capture: Capture,
) -> NewTurns | None:
    """What is to be kept of a request; None for nothing.

    Args:
        segments: What is new of what is said, oldest first.
    """
    if not caller.marked or capture is Capture.OFF or not segments:
        return None
    turns: list[memory_pb.Turn] = []
    room = CHARACTERS_MAX
    for segment in reversed(segments):
        if not room:
            break
        text = segment.text[:room]
        room -= len(text)
        turns.append(
            memory_pb.Turn(
                role=ROLES[segment.role], text=printable(text), digest=segment.digest
            )
        )
    request = pb.CaptureRequest(
        session=session.origin,
        turns=reversed(turns),
        extract=capture is Capture.EXTRACT,
    )
    return NewTurns(request, caller, CHARACTERS_MAX - room)


class Captures:
    """Sends what was said to the memory, one after another.

    Args:
        keep: Does it.

    Attributes:
        results: What became of it: `kept`, or why it was dropped.
    """

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self.results: Counter[str] = Counter()
        self._queue: deque[NewTurns] = deque()
        self._characters = 0
        self._wake = asyncio.Event()
        self._done = asyncio.Event()
        self._done.set()
        self._task: asyncio.Task[None] | None = None
        self._trouble = ""

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._queue)

    def offer(self, said: NewTurns | None) -> None:
        """Takes what was said, once, if there is room for it."""
        if said is None or said.offered:
            return
        said.offered = True
        if (
            self.waiting >= WAITING_MAX
            or self._characters + said.characters > WAITING_CHARACTERS_MAX
        ):
            self._drop("queue-full")
            return
        self._queue.append(said)
        self._characters += said.characters
        self._done.clear()
        self._wake.set()

    def start(self) -> None:
        """Begins to send."""
        self._task = asyncio.create_task(self._run(), name="captures")

    async def stop(self) -> None:
        """Sends what waits, if that is quick, and ends."""
        if self._task is None:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._done.wait(), CLOSE_SECONDS)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        for _ in range(self.waiting):
            self._drop("stopped")

    async def _run(self) -> None:
        while True:
            while self._queue:
                await self._send(self._queue[0])
                self._characters -= self._queue.popleft().characters
            self._done.set()
            self._wake.clear()
            await self._wake.wait()

    async def _send(self, said: NewTurns) -> None:
        """Sends what was said, a few times if need be."""
        for pause in (*RETRY_SECONDS, None):
            try:
                await self._keep(said.request, said.caller)
            except MemoryRefused as refusal:
                self._drop("refused", str(refusal))
                return
            except MemoryUnavailable as error:
                if pause is None:
                    self._drop(error.why)
                    return
                await asyncio.sleep(pause)
            except Exception as error:
                # A defect must not end the task. Its message might quote what was said.
                self._drop("error", type(error).__name__)
                return
            else:
                self.results["kept"] += 1
                if self._trouble:
                    log.info("captures_back")
                    self._trouble = ""
                return

    def _drop(self, why: str, message: str = "") -> None:
        self.results[why] += 1
        # Once per change: a line for every prompt would drown the log.
        if self._trouble != why:
            log.warning("capture_dropped", why=why, message=message)
            self._trouble = why
