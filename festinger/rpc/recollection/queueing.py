"""Whose question is answered next, and which are dropped unread (J12).

One thread answers, so that a question waits for those before it. What waits is known:
whoever reads requests does so ahead of the answers. While nobody waits long, the first
who came is the first to be answered. Under overload it is the last: its asker still
waits, and an answer that comes in time is worth more than two that come late. Those who
waited too long are told at once that the server is busy, and for how long.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from festinger.errors import Overloaded
from festinger.services.world.statistics import MemoryStatistics

LENGTH_MAX: Final = 4096
"""Questions that may wait at once; beyond, the oldest is dropped."""

RETRY_SECONDS_MIN: Final = 0.005
RETRY_SECONDS_MAX: Final = 1.0
"""Bounds of how long a client is asked to stay away."""

_QUIET_TURNS: Final = 8
"""Turns of the event loop without a new question after which none is on its way."""
_SMOOTHING: Final = 0.1
"""Weight of the newest answer in the average of what one takes."""

Answer = TypeVar("Answer")


class WaitingQuestion(NamedTuple):
    """A question that waits.

    Attributes:
        came: When it was read, in seconds of the event loop's clock.
        answer: Judges it and answers. It must not raise.
        refuse: Answers that it was dropped. It must not raise.
    """

    came: float
    answer: Callable[[], None]
    refuse: Callable[[Overloaded], None]


class QuestionQueue:
    """The questions that wait, of all clients.

    Args:
        seconds_max: How long the oldest may wait while others wait behind it.
        statistics: Counts those that are dropped.
    """

    def __init__(self, *, seconds_max: float, statistics: MemoryStatistics) -> None:
        self._seconds_max = seconds_max
        self._statistics = statistics
        self._questions: deque[WaitingQuestion] = deque()
        self._came = 0
        self._working: asyncio.Task[None] | None = None
        self._seconds_each = 0.0

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._questions)

    def add(
        self, answer: Callable[[], None], refuse: Callable[[Overloaded], None]
    ) -> None:
        """Answer a question now if nobody waits, else when it is its turn.

        Args:
            answer: Judges the question and answers it.
            refuse: Answers that it was dropped.
        """
        self._came += 1
        loop = asyncio.get_running_loop()
        if self._working:
            self._questions.append(WaitingQuestion(loop.time(), answer, refuse))
            return
        began = loop.time()
        answer()
        self._working = loop.create_task(self._work(began))

    async def ask(self, judge: Callable[[], Answer]) -> Answer:
        """Judge a question when it is its turn, and return the answer.

        Nothing is judged for who stops to wait before.

        Raises:
            Overloaded: It was dropped.
            Exception: What `judge` raises.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def settle() -> None:
            if answer.done():
                return
            try:
                answer.set_result(judge())
            except Exception as error:
                answer.set_exception(error)

        def refuse(error: Overloaded) -> None:
            if not answer.done():
                answer.set_exception(error)

        self.add(settle, refuse)
        return await answer

    async def _work(self, began: float) -> None:
        """Answer one question after the other, until none waits.

        Args:
            began: When the answer began that came before the first of them.
        """
        loop = asyncio.get_running_loop()
        try:
            while True:
                # The answer is sent in one turn of the loop, and what it leaves to do is
                # done in the next.
                for _ in range(2):
                    await asyncio.sleep(0)
                self._note(loop.time() - began)
                await self._let_in()
                self._drop_old(loop.time())
                if not self._questions:
                    return
                began = loop.time()
                question = self._take(began)
                question.answer()
        finally:
            self._working = None

    async def _let_in(self) -> None:
        """Have those questions read that came meanwhile, in a time that is bounded."""
        quiet, came = 0, self._came
        # Where nothing comes within two turns, nothing was left unread.
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
                quiet, came, needed = 0, self._came, _QUIET_TURNS

    def _take(self, now: float) -> WaitingQuestion:
        """Return the question that is answered next."""
        waited = now - self._questions[0].came
        if waited <= self._seconds_max / 2:
            return self._questions.popleft()
        return self._questions.pop()

    def _drop_old(self, now: float) -> None:
        """Refuse those that waited too long, without reading them.

        One that nobody waits behind is answered, however late.
        """
        questions = self._questions
        while len(questions) > 1 and (
            now - questions[0].came > self._seconds_max or len(questions) > LENGTH_MAX
        ):
            oldest = questions.popleft()
            self._statistics.dropped += 1
            oldest.refuse(self._busy())

    def _busy(self) -> Overloaded:
        """Return what is told to who is dropped: to come back when the rest is done."""
        seconds = len(self._questions) * self._seconds_each
        return Overloaded(
            "more is asked than can be answered; this question was not read",
            retry_seconds=min(max(seconds, RETRY_SECONDS_MIN), RETRY_SECONDS_MAX),
        )

    def _note(self, seconds: float) -> None:
        """Note what an answer took, and what it left to do."""
        self._seconds_each += _SMOOTHING * (seconds - self._seconds_each)
