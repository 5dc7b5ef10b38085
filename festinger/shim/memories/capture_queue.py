"""Capture of turns of marked conversations, which the memory server stores.

A background task sends the turns after the answer has begun, so no request waits for
it. Dropped requests are counted.
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
from festinger.config import CaptureMode
from festinger.lifetimes import cancel_all
from festinger.shim.recollection.memory import MemoryUnavailable
from festinger.shim.recollection.message_digests import TURN_ROLES, printable
from festinger.shim.recollection.segments import Segment
from festinger.shim.recollection.sessions import Session
from festinger.shim.system.calls import MemoryRefused
from festinger.shim.system.identity import RequestCaller

log = structlog.get_logger(__name__)

CHARACTERS_MAX: Final = 200_000
"""Maximum text of one request that is captured, the newest first."""
WAITING_MAX: Final = 256
"""Maximum number of queued requests."""
WAITING_CHARACTERS_MAX: Final = 4_000_000
"""Maximum text of all queued requests, in characters."""
RETRY_SECONDS: Final = (1.0, 5.0)
"""Pauses in seconds before each retry; after the last one a request is dropped."""
CLOSE_SECONDS: Final = 1.0
"""Maximum time in seconds to send the queued requests when the shim stops."""

Keep = Callable[[pb.CaptureRequest, RequestCaller], Awaitable[None]]
"""Stores turns. Raises `MemoryUnavailable` or `MemoryRefused`."""


@dataclass(slots=True, eq=False)
class NewTurns:
    """The new turns of a request in a marked conversation.

    Attributes:
        offered: Whether the turns were offered to the queue already.
    """

    request: pb.CaptureRequest
    caller: RequestCaller
    characters: int
    offered: bool = field(default=False, init=False)


def said_in(
    segments: Sequence[Segment],
    session: Session,
    caller: RequestCaller,
    capture: CaptureMode,
) -> NewTurns | None:
    """Return the turns of a request that are to be captured; None for none.

    Args:
        segments: New segments of user and assistant, oldest first.
        caller: Caller of the request; its conversation is captured only if marked.
    """
    # Captured only if the client has named whom the conversation is about.
    if not caller.marked or capture is CaptureMode.OFF or not segments:
        return None
    turns: list[memory_pb.Turn] = []
    room = CHARACTERS_MAX
    # The newest first: what does not fit is the oldest.
    for segment in reversed(segments):
        if not room:
            break
        text = segment.text[:room]
        room -= len(text)
        turns.append(
            memory_pb.Turn(
                role=TURN_ROLES[segment.role],
                text=printable(text),
                digest=segment.digest,
            )
        )
    request = pb.CaptureRequest(
        # Not the random id: the same conversation continues after a restart.
        session=session.origin,
        turns=reversed(turns),
        extract=capture is CaptureMode.EXTRACT,
    )
    return NewTurns(request, caller, CHARACTERS_MAX - room)


class CaptureQueue:
    """Queue of turns, which a background task sends to the memory one by one.

    Attributes:
        results: Number of requests by result: `kept`, or the reason for the drop.
    """

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self.results: Counter[str] = Counter()
        self._queue: deque[NewTurns] = deque()
        self._characters = 0
        self._wake = asyncio.Event()
        # Set while the queue is empty.
        self._done = asyncio.Event()
        self._done.set()
        self._task: asyncio.Task[None] | None = None
        self._trouble = ""

    @property
    def waiting(self) -> int:
        """Number of queued requests."""
        return len(self._queue)

    def offer(self, said: NewTurns | None) -> None:
        """Enqueue turns, unless they were offered before; drop them if it is full."""
        # Offered when the upstream accepts the prompt, and at the end in case it never did.
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
        """Start the background task."""
        self._task = asyncio.create_task(self._run(), name="captures")

    async def stop(self) -> None:
        """Wait briefly for the queue to be sent, then stop and drop the rest."""
        if self._task is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._done.wait()
        await cancel_all([self._task])
        for _ in range(self.waiting):
            self._drop("stopped")

    async def _run(self) -> None:
        while True:
            while self._queue:
                # Removed only afterwards, so that a stop in between counts it as dropped.
                await self._send(self._queue[0])
                self._characters -= self._queue.popleft().characters
            self._done.set()
            self._wake.clear()
            await self._wake.wait()

    async def _send(self, said: NewTurns) -> None:
        """Send turns, with retries while the memory is unavailable."""
        # The memory stores a turn once however often it is sent, so what may have arrived can
        # be repeated.
        for pause in (*RETRY_SECONDS, None):
            try:
                await self._keep(said.request, said.caller)
            except MemoryRefused as refusal:
                self._drop("refused", str(refusal))
                return
            except MemoryUnavailable as error:
                if pause is None:
                    self._drop(str(error))
                    return
                await asyncio.sleep(pause)
            except Exception as error:
                # A defect must not end the task. The message is not logged: it might
                # quote the conversation.
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
        # Logged once per change: a line for every prompt would flood the log.
        if self._trouble != why:
            log.warning("capture_dropped", why=why, message=message)
            self._trouble = why
