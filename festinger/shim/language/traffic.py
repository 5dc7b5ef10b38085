"""Which prompts are under way, and since when there are none."""

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

_EMBEDDING: Final = frozenset({"/api/embed", "/api/embeddings", "/v1/embeddings"})
_CHANGING: Final = frozenset({"/api/pull", "/api/create", "/api/push"})
BUSY_PATHS: Final = frozenset(ROUTES) | _EMBEDDING | _CHANGING
"""What keeps the upstream's machine busy."""
RUNNER_OPTIONS: Final = (
    "num_ctx",
    "num_batch",
    "num_gpu",
    "main_gpu",
    "use_mmap",
    "num_thread",
)
"""Options by which a model is loaded: other values would load it anew."""


@dataclass(slots=True, eq=False)
class PassingPrompt:
    """A prompt on its way through the shim.

    Attributes:
        delay: For how many seconds reading may have held it up, estimated; None if
            nothing was being read when it came.
    """

    delay: float | None = None


class Traffic:
    """Watches prompts come and go.

    Args:
        clock: Gives the time in seconds.

    Attributes:
        rate: How fast prompts are evaluated.
        model: Which model was asked last; empty before the first.
        options: By which options it was loaded then, as far as the prompt said.
        arrived: Called at once when a prompt comes; says for how many seconds it is held
            up by what is being read, or None.
        delayed: Called with the seconds for which a prompt was held up.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._under_way: set[PassingPrompt] = set()
        self._since = clock()
        self._ended = asyncio.Event()
        self.count = 0
        self.rate = EvaluationRate()
        self.model = ""
        self.options: dict[str, Any] = {}
        self.arrived: Callable[[], float | None] = lambda: None
        self.delayed: Callable[[float], None] = lambda seconds: None

    @property
    def idle_seconds(self) -> float:
        """For how long nobody has asked anything; 0.0 while somebody waits."""
        return 0.0 if self._under_way else self._clock() - self._since

    @contextmanager
    def prompt(self, path: str) -> Iterator[PassingPrompt | None]:
        """Note a request as long as it lasts; one that asks no model is nothing."""
        if path not in BUSY_PATHS:
            yield None
            return
        prompt = PassingPrompt(delay=self.arrived())
        self.count += 1
        self._under_way.add(prompt)
        try:
            yield prompt
        finally:
            # Where the answer did not say, as estimated.
            self.settle(prompt)
            self._under_way.discard(prompt)
            self._since = self._clock()
            self._ended.set()

    def asked(self, model: str, options: object) -> None:
        """Note which model a prompt asks, and by which options it is loaded."""
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
        """Take note of the end of a prompt's answer."""
        durations = durations_in(tail)
        self.rate.learn(durations)
        self.settle(prompt, durations)

    def settle(
        self, prompt: PassingPrompt, durations: AnswerDurations = UNTOLD
    ) -> None:
        """Tell for how long a prompt was held up: as its answer says, or as estimated."""
        if prompt.delay is not None:
            measured = durations.waited if durations.total else prompt.delay
            self.delayed(measured)
            prompt.delay = None

    async def wait(self, seconds: float) -> None:
        """Wait until a prompt has ended, but no longer than so many seconds."""
        # One that ended since the last wait ends this one at once.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        self._ended.clear()
