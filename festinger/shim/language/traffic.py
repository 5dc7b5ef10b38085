"""Monitor of the prompts in progress and of idle time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from festinger.shim.language.rate import (
    UNTOLD,
    AnswerDurations,
    EvaluationRate,
    durations_in,
)
from festinger.shim.wire import ROUTES

# Not enriched, but they keep the model's machine busy as well.
_EMBEDDING: Final = frozenset({"/api/embed", "/api/embeddings", "/v1/embeddings"})
_CHANGING: Final = frozenset({"/api/pull", "/api/create", "/api/push"})
BUSY_PATHS: Final = frozenset(ROUTES) | _EMBEDDING | _CHANGING
"""Paths whose requests keep the upstream busy."""
RUNNER_OPTIONS: Final = (
    "num_ctx",
    "num_batch",
    "num_gpu",
    "main_gpu",
    "use_mmap",
    "num_thread",
)
"""Options that a model is loaded with: other values would cause a reload."""


@dataclass(slots=True, eq=False)
class PassingPrompt:
    """A prompt on its way through the shim.

    Attributes:
        delay: Estimated delay by reading in seconds; None if nothing was being read
            when the prompt arrived, or once the delay is reported.
    """

    delay: float | None = None


class Traffic:
    """Monitor of the prompts that pass through the shim.

    Attributes:
        model: Model of the last prompt; empty before the first.
        options: Options of the last prompt that its model is loaded with.
        arrived: Called when a prompt arrives; returns the estimated delay by reading
            in seconds, or None if nothing is being read.
        delayed: Called with the delay of a prompt in seconds.
        gives_way: Called when a prompt arrives, to end other requests.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._under_way: set[PassingPrompt] = set()
        # Time at which the last prompt ended; the start counts as one.
        self._since = clock()
        self._ended = asyncio.Event()
        self.count = 0
        self.rate = EvaluationRate()
        self.model = ""
        self.options: dict[str, Any] = {}
        # Hooks of the reader and the embedder, which do nothing without one.
        self.arrived: Callable[[], float | None] = lambda: None
        self.delayed: Callable[[float], None] = lambda seconds: None
        self.gives_way: list[Callable[[], None]] = []

    @property
    def idle_seconds(self) -> float:
        """Seconds without a prompt in progress; 0.0 while there is one."""
        return 0.0 if self._under_way else self._clock() - self._since

    @contextmanager
    def prompt(self, path: str) -> Iterator[PassingPrompt | None]:
        """Track a request while the context is active.

        Yields None for a path that does not keep the upstream busy.
        """
        if path not in BUSY_PATHS:
            yield None
            return
        # The reader gives way before anything else happens with the prompt.
        prompt = PassingPrompt(delay=self.arrived())
        for give_way in self.gives_way:
            give_way()
        self.count += 1
        self._under_way.add(prompt)
        try:
            yield prompt
        finally:
            # If the answer reported no durations, the estimate counts.
            self.settle(prompt)
            self._under_way.discard(prompt)
            self._since = self._clock()
            self._ended.set()

    def asked(self, model: str, options: object) -> None:
        """Record the model of a prompt and the options that it is loaded with."""
        # The rates that were measured are another model's.
        if model != self.model:
            self.rate.forget()
        self.model = model
        given = options if isinstance(options, Mapping) else {}
        self.options = {
            name: given[name]
            for name in RUNNER_OPTIONS
            if isinstance(given.get(name), int | bool)
        }

    def answered(self, prompt: PassingPrompt, tail: bytes) -> None:
        """Record the durations at the end of a prompt's answer."""
        durations = durations_in(tail)
        self.rate.learn(durations)
        self.settle(prompt, durations)

    def settle(
        self, prompt: PassingPrompt, durations: AnswerDurations = UNTOLD
    ) -> None:
        """Report the delay of a prompt, once.

        Args:
            durations: Durations that its answer reports; without them the estimated
                delay is reported.
        """
        if prompt.delay is not None:
            measured = durations.waited if durations.total else prompt.delay
            self.delayed(measured)
            prompt.delay = None

    async def wait(self, seconds: float) -> None:
        """Wait until a prompt ends, or until the timeout in seconds."""
        # A prompt that ended since the last wait ends this one at once.
        with suppress(TimeoutError):
            # `wait_for` of Python 3.11 loses a cancellation as the event is set.
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        self._ended.clear()
