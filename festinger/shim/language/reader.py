"""Reading of unread turns by the agents' own model, cancelled when a prompt arrives."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.config import LearningSettings
from festinger.core.language.reader.pace import TokenBudget, idle_needed, tokens_within
from festinger.core.language.reader.questions import TOKENS_MIN
from festinger.lifetimes import cancel_all
from festinger.shim.language import reading
from festinger.shim.language.loaded import LoadedModel, ModelFinder, NoModelToAsk
from festinger.shim.language.traffic import Traffic
from festinger.shim.proxy.proxy import Upstream
from festinger.shim.proxy.upstreams import Upstreams
from festinger.shim.system.calls import Call, MemoryRefused

log = structlog.get_logger(__name__)

# Afterwards another reader may lease the same turns.
ANSWER_SECONDS_MAX: Final = 240.0
"""Timeout of a model's answer in seconds; shorter than a lease."""
# Growing, so that an idle machine is not asked four times a second for ever.
PAUSE_SECONDS: Final = (0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 30.0)
"""Successive pauses in seconds while there is nothing to do.

The last one repeats until a prompt arrives.
"""
REST_SECONDS: Final = 300.0
"""Pause in seconds after a model declined, unless a prompt arrives earlier."""


@dataclass(slots=True)
class _Request:
    """A request in progress, with the data to estimate how long it delays a prompt.

    Attributes:
        task: The running request; cancelled to give way.
        sent: Time at which it was sent, in seconds of the clock.
    """

    task: asyncio.Task[reading.ModelAnswer]
    answer: reading.AnswerReader
    tokens: int
    sent: float


class IdleReader:
    """Background task that has unread turns read while no prompts are in progress.

    Attributes:
        budget: Tokens spent so far.
    """

    def __init__(
        self,
        settings: LearningSettings,
        call: Call,
        upstreams: Upstreams,
        traffic: Traffic,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._call = call
        self._traffic = traffic
        self._clock = clock
        self._now = now
        self._request: _Request | None = None
        self._task: asyncio.Task[None] | None = None
        self._finder = ModelFinder(upstreams)
        # Number of prompts when the pauses were last reset.
        self._prompts = 0
        self._rests_until = 0.0
        self.statistics = reading.ReaderStatistics()
        self.budget = TokenBudget()
        # Called by the prompt's own task: the reader must not have to wake up first.
        traffic.arrived = self._give_way
        traffic.delayed = self.statistics.note_delay

    @property
    def is_reading(self) -> bool:
        """True while a request to a model is in progress."""
        return self._request is not None

    def apply(self, settings: LearningSettings) -> None:
        """Apply changed settings; cancel the request if reading is switched off."""
        self._settings = settings
        # `loaded`: the model that the agents have loaded; else a provider's, or none.
        if settings.model != "loaded" and self._request:
            self._request.task.cancel()

    def start(self) -> None:
        """Start the background task."""
        self._task = asyncio.create_task(self._run(), name="reader")

    async def stop(self) -> None:
        """Cancel the background task, and release its leased turns."""
        await cancel_all([self._task])

    # When a prompt arrives

    def _give_way(self) -> float | None:
        """Cancel the request in progress.

        Returns:
            Estimated delay of the arriving prompt in seconds; None if no request was
            in progress.
        """
        self._finder.renew()
        # A prompt may have loaded another model, which may accept what the last one declined.
        self._rests_until = 0.0
        request = self._request
        if request is None:
            return None
        request.task.cancel()
        if request.answer.began:
            # Between two tokens the upstream notices the disconnect at once.
            return 0.0
        # During the evaluation the upstream does not notice the disconnect: the prompt waits
        # for the rest of it.
        evaluated = self._clock() - request.sent
        whole = request.tokens / self._traffic.rate.tokens_per_second
        return max(0.0, whole - evaluated)

    # The background task

    async def _run(self) -> None:
        fruitless = 0
        while True:
            try:
                pause = await self.step()
            except Exception as error:
                # A defect must not end the task. The message is not logged: it might
                # quote a conversation.
                log.error("reading_failed", error=type(error).__name__)
                pause = REST_SECONDS
            # A prompt brings something to read, so the pauses begin anew.
            if self._prompts != self._traffic.count:
                self._prompts, fruitless = self._traffic.count, 0
            # None: nothing to do now, for a reason that may pass soon.
            if pause is None:
                pause = PAUSE_SECONDS[min(fruitless, len(PAUSE_SECONDS) - 1)]
                fruitless += 1
            elif pause == 0.0:
                fruitless = 0
            if pause:
                await self._traffic.wait(pause)

    async def step(self) -> float | None:
        """Read one batch if the upstream is idle and there is budget.

        Returns:
            Seconds until the next step; None for the next of the growing pauses.
        """
        settings, statistics = self._settings, self.statistics
        if settings.model != "loaded":
            statistics.state = "the loaded model reads nothing, as learning.model says"
            return PAUSE_SECONDS[-1]
        idle = self._traffic.idle_seconds
        if idle < settings.idle_seconds:
            statistics.state = "it waits for a pause"
            return max(0.05, settings.idle_seconds - idle)
        if self._clock() < self._rests_until:
            return self._rests_until - self._clock()
        # The order: what costs nothing is asked first, a lease comes last.
        room = self._room(idle)
        if room < TOKENS_MIN:
            return self._wait_for_room(idle)
        try:
            upstream, model = await self._finder.find(self._traffic.model, self._now())
        except NoModelToAsk as error:
            statistics.state = str(error)
            return None
        # Half of the context is left for the answer.
        room = min(room, model.context // 2)
        leased = await self._lease(room)
        if leased is None:
            return None
        await self._read(upstream, model, leased)
        return 0.0

    def _room(self, idle: float) -> int:
        """Return the number of tokens that a prompt may have now."""
        rate, settings = self._traffic.rate.tokens_per_second, self._settings
        # Two limits: the budget of an hour, and the delay that a prompt may suffer.
        left = self.budget.left(settings.tokens_per_hour, self._clock())
        return min(left, tokens_within(rate, settings.delay_share, idle))

    def _wait_for_room(self, idle: float) -> float:
        """Set the state to the reason for too little room.

        Returns:
            Minimum number of seconds until there may be enough.
        """
        rate, share = self._traffic.rate.tokens_per_second, self._settings.delay_share
        # The longer nobody has asked, the longer a prompt may be held up.
        needed = idle_needed(rate, share)
        if needed is None:
            self.statistics.state = (
                f"this machine evaluates {rate:.0f} tokens a second, too few to read "
                "without holding prompts up for more than ten seconds"
            )
            return PAUSE_SECONDS[-1]
        if idle < needed:
            self.statistics.state = (
                f"at {rate:.0f} tokens a second it waits for a pause of {needed:.0f} s"
            )
            return max(0.05, needed - idle)
        self.statistics.state = "learning.tokens_per_hour are spent"
        return PAUSE_SECONDS[-1]

    async def _lease(self, room: int) -> pb.LeaseTurnsResponse | None:
        try:
            leased: pb.LeaseTurnsResponse = await self._call(
                pb.LeaseTurnsRequest(tokens_max=room)
            )
        except MemoryRefused as refusal:
            self.statistics.state = "the memory does not answer"
            log.debug("reading_refused", code=str(refusal.code))
            return None
        if not leased.lease:
            self.statistics.state = "nothing is to be read"
            return None
        return leased

    async def _read(
        self, upstream: Upstream, model: LoadedModel, leased: pb.LeaseTurnsResponse
    ) -> None:
        """Query the model, and submit its answer or release the turns."""
        failure = ""
        returned = False
        try:
            answer = await self._ask(upstream, model, leased)
            tokens = reading.spent_on(answer, leased.tokens)
            self.budget.spend(tokens, self._clock())
            self._traffic.rate.learn(answer.durations)
            # The answer is there: from here on the lease ends with its submission.
            returned = True
            await self._submit(leased.lease, answer.text, tokens)
        except reading.ReadingCancelled:
            self.statistics.state = "it gave way to a prompt"
        # Not the turns' fault: they are returned without a failure, and the reader rests.
        except reading.ModelDeclined as error:
            self.statistics.state = str(error)
            self.statistics.failed += 1
            self._rests_until = self._clock() + REST_SECONDS
        # The tokens are spent although nothing came of it.
        except (reading.AnswerUnusable, TimeoutError) as error:
            failure = str(error) or "the model took too long"
            self.statistics.failed += 1
            self.budget.spend(leased.tokens, self._clock())
        finally:
            if not returned:
                await self._give_back(leased.lease, failure)

    async def _ask(
        self, upstream: Upstream, model: LoadedModel, leased: pb.LeaseTurnsResponse
    ) -> reading.ModelAnswer:
        """Query the model and return its answer.

        Raises:
            AnswerUnusable: The answer is incomplete or malformed.
            ModelDeclined: The upstream does not answer.
            ReadingCancelled: A prompt arrived.
            TimeoutError: The answer takes too long.
        """
        # The answer may take what is left of the budget and of the context.
        left = self.budget.left(self._settings.tokens_per_hour, self._clock())
        body = reading.request_body(
            model,
            self._traffic.options,
            system=leased.system,
            prompt=leased.prompt,
            schema=leased.schema,
            answer_tokens_max=min(
                reading.ANSWER_TOKENS_MAX,
                max(TOKENS_MIN, left - leased.tokens),
                model.context - leased.tokens,
            ),
        )
        if self._traffic.idle_seconds == 0.0:
            # A prompt arrived while the turns were leased.
            raise reading.ReadingCancelled
        reader = reading.AnswerReader()
        # A task, so that `_give_way` can cancel the request alone.
        task = asyncio.create_task(reading.ask(upstream, body, reader))
        self._request = _Request(task, reader, leased.tokens, self._clock())
        self.statistics.state = "it reads"
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                return await task
        except asyncio.CancelledError:
            # If the reader itself is stopped, the cancellation must go on.
            current = asyncio.current_task()
            if not task.cancelled() or (current and current.cancelling()):
                raise
            self.statistics.yielded += 1
            self.budget.spend(leased.tokens, self._clock())
            raise reading.ReadingCancelled from None
        finally:
            self._request = None
            task.cancel()

    async def _submit(self, lease: str, answer: str, tokens: int) -> None:
        try:
            learnt: pb.SubmitAnswerResponse = await self._call(
                pb.SubmitAnswerRequest(lease=lease, answer=answer, token_count=tokens)
            )
        except MemoryRefused as refusal:
            self.statistics.failed += 1
            # The lease may have expired, so that somebody else reads these turns.
            log.debug("answer_refused", reason=refusal.reason)
            return
        self.statistics.batches += 1
        self.statistics.learned += learnt.held_count + learnt.corroborated_count

    async def _give_back(self, lease: str, failure: str) -> None:
        """Release turns, even while the task is being cancelled."""
        # A failure counts against the turns; without one they are leased again as if untouched.
        request = pb.ReleaseTurnsRequest(lease=lease, failure=failure)
        # If the memory is away, the lease expires by itself.
        with suppress(MemoryRefused):
            await asyncio.shield(self._call(request))
