"""Estimate of the upstream's prompt evaluation rate, from forwarded answers."""

from __future__ import annotations

import re
from collections import deque
from typing import Final, NamedTuple

RATE_UNKNOWN: Final = 100.0
"""Assumed rate in tokens per second before any measurement, that of a slow CPU."""
TOKENS_MIN: Final = 64
"""Minimum prompt tokens of a measurement: shorter prompts are mostly overhead."""
REMEMBERED: Final = 8
"""Number of measurements that are kept."""
_COUNT: Final = re.compile(
    rb'"(total_duration|load_duration|prompt_eval_count|prompt_eval_duration|eval_count'
    rb'|eval_duration)"\s*:\s*(\d{1,18})'
)


class AnswerDurations(NamedTuple):
    """Durations, in seconds, and token counts that Ollama reports in an answer.

    Attributes:
        prompt: Duration of evaluating the prompt.
        tokens: Number of tokens generated.
    """

    total: float = 0.0
    load: float = 0.0
    prompt_tokens: int = 0
    prompt: float = 0.0
    tokens: int = 0
    generation: float = 0.0

    @property
    def waited(self) -> float:
        """Time that the prompt waited for other requests, in seconds."""
        # Ollama reports no time in its queue, so it is what remains of the total.
        worked = self.load + self.prompt + self.generation
        return max(0.0, self.total - worked)


UNTOLD: Final = AnswerDurations()
"""Durations of an answer that reports none."""


def durations_in(tail: bytes) -> AnswerDurations:
    """Return the durations at the end of an answer; zero for those not reported."""
    # The last of each name counts: the model's text may hold the same words, escaped.
    said = {name.decode(): int(number) for name, number in _COUNT.findall(tail)}
    return AnswerDurations(
        # Nanoseconds.
        said.get("total_duration", 0) / 1e9,
        said.get("load_duration", 0) / 1e9,
        said.get("prompt_eval_count", 0),
        said.get("prompt_eval_duration", 0) / 1e9,
        said.get("eval_count", 0),
        said.get("eval_duration", 0) / 1e9,
    )


class EvaluationRate:
    """Lower bound of the rate at which prompts are evaluated."""

    def __init__(self) -> None:
        self._rates: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def tokens_per_second(self) -> float:
        """Tokens per second: the minimum of the last answers, or the default."""
        # Ollama counts the tokens of a cached beginning although it does not evaluate them,
        # which makes a rate too high: the slowest of the last answers is nearest.
        return min(self._rates, default=RATE_UNKNOWN)

    def learn(self, durations: AnswerDurations) -> None:
        """Record the rate of an answer, unless its prompt is too short."""
        if durations.prompt_tokens >= TOKENS_MIN and durations.prompt > 0:
            self._rates.append(durations.prompt_tokens / durations.prompt)

    def forget(self) -> None:
        """Discard all measurements, as when the model changes."""
        self._rates.clear()
