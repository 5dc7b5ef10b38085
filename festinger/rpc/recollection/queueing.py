"""Queue of the prompts that wait for an answer, with load shedding (J12)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from festinger.errors import Overloaded
from festinger.services.world.statistics import MemoryStatistics

LENGTH_MAX: Final = 4096
"""Maximum number of waiting requests; beyond it the oldest is dropped."""

RETRY_SECONDS_MIN: Final = 0.005
RETRY_SECONDS_MAX: Final = 1.0
"""Bounds of the retry delay that a refused client is given."""

_QUIET_TURNS: Final = 8
"""Event loop iterations without a new request after which none is expected."""
_SMOOTHING: Final = 0.1
"""Weight of the newest answer in the moving average of answer durations."""

Answer = TypeVar("Answer")


class WaitingQuestion(NamedTuple):
    """A request that waits for its answer.

    Attributes:
        came: Time at which it was read, in seconds of the event loop's clock.
        answer: Callback that processes and answers it; must not raise.
        refuse: Callback that answers that it was dropped; must not raise.
    """

    came: float
    answer: Callable[[], None]
    refuse: Callable[[Overloaded], None]


class QuestionQueue:
    """Queue of the waiting requests of all clients.

    Args:
        seconds_max: Maximum time that the oldest request may wait while others wait
            behind it.
        statistics: Counts the dropped requests.
    """

    def __init__(self, *, seconds_max: float, statistics: MemoryStatistics) -> None:
        self._seconds_max = seconds_max
        self._statistics = statistics
        # One thread answers, so that a prompt waits for all those before it.
        self._questions: deque[WaitingQuestion] = deque()
        self._came = 0  # number of requests so far: tells whether new ones arrived
        self._working: asyncio.Task[None] | None = None  # None while idle
        self._seconds_each = 0.0  # moving average, for the retry delay

    def __len__(self) -> int:
        """Return the number of waiting requests."""
        return len(self._questions)

    def add(
        self, answer: Callable[[], None], refuse: Callable[[Overloaded], None]
    ) -> None:
        """Answer a request at once if the queue is idle, else enqueue it.

        Args:
            answer: Callback that processes and answers the request.
            refuse: Callback that answers that the request was dropped.
        """
        self._came += 1
        loop = asyncio.get_running_loop()
        # While a request is answered others wait; without one, a task would only add delay.
        if self._working:
            self._questions.append(WaitingQuestion(loop.time(), answer, refuse))
            return
        began = loop.time()
        answer()
        # The task goes on with what arrives until the answer is sent.
        self._working = loop.create_task(self._work(began))

    async def ask(self, judge: Callable[[], Answer]) -> Answer:
        """Enqueue a request, and return its answer.

        If the caller is cancelled first, `judge` is not called.

        Args:
            judge: Processes the request and returns the answer.

        Raises:
            Overloaded: The request was dropped.
            Exception: Any exception that `judge` raises.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def settle() -> None:
            """Set the answer, or the error of the judgement."""
            if answer.done():  # the caller left: judging would cost others their time
                return
            try:
                answer.set_result(judge())
            except Exception as error:
                answer.set_exception(error)

        def refuse(error: Overloaded) -> None:
            """Set the error, unless there is an answer."""
            if not answer.done():
                answer.set_exception(error)

        self.add(settle, refuse)
        return await answer

    async def _work(self, began: float) -> None:
        """Answer the waiting requests one after the other, until the queue is empty.

        Args:
            began: Start time of the answer before them, in seconds of the event loop's
                clock.
        """
        loop = asyncio.get_running_loop()
        try:
            while True:
                # One iteration of the loop sends the answer, and the next does the work
                # that was deferred until then.
                for _ in range(2):
                    await asyncio.sleep(0)
                # From its start to the end of its deferred work.
                self._note(loop.time() - began)
                # Requests are read first, so that the length of the queue is known.
                await self._run_readers()
                self._drop_old(loop.time())
                if not self._questions:
                    return
                began = loop.time()
                question = self._take(began)
                question.answer()
        finally:
            self._working = None  # also if the server cancels it

    async def _run_readers(self) -> None:
        """Let the readers enqueue newly arrived requests, for a bounded time."""
        quiet, came = 0, self._came
        # If nothing arrives within two iterations, no request was left unread.
        needed = 2
        loop = asyncio.get_running_loop()
        until = loop.time() + self._seconds_max / 2
        while loop.time() < until:
            await asyncio.sleep(0)
            if came == self._came:
                quiet += 1
                if quiet >= needed:
                    return
            else:
                # More may be on their way: a burst is read in several iterations.
                quiet, came, needed = 0, self._came, _QUIET_TURNS

    def _take(self, now: float) -> WaitingQuestion:
        """Remove and return the request to answer next."""
        waited = now - self._questions[0].came
        # While waits are short: first in, first out.
        if waited <= self._seconds_max / 2:
            return self._questions.popleft()
        # Under overload the newest client still waits for its answer, the oldest may not:
        # one answer in time is worth more than two late ones.
        return self._questions.pop()

    def _drop_old(self, now: float) -> None:
        """Refuse what waited too long, unprocessed; never the newest request."""
        questions = self._questions
        # Older ones than the limit are late in any case: the shim waits 50 ms (D8).
        while len(questions) > 1 and (
            now - questions[0].came > self._seconds_max or len(questions) > LENGTH_MAX
        ):
            oldest = questions.popleft()
            self._statistics.dropped += 1
            oldest.refuse(self._busy())  # unread, with the time after which to retry

    def _busy(self) -> Overloaded:
        """Return the error for a dropped request, with the estimated time to drain."""
        seconds = len(self._questions) * self._seconds_each
        return Overloaded(
            "more is asked than can be answered; this question was not read",
            # Bounded, so that clients neither come back at once nor stay away after a burst.
            retry_seconds=min(max(seconds, RETRY_SECONDS_MIN), RETRY_SECONDS_MAX),
        )

    def _note(self, seconds: float) -> None:
        """Update the average duration of an answer and its deferred work."""
        # A pause of the whole process is no answer's duration: counted in full, it would
        # send clients away for a second when the process goes on.
        seconds = min(seconds, self._seconds_max)
        self._seconds_each += _SMOOTHING * (seconds - self._seconds_each)
