"""How fast the model's machine evaluates prompts, by the answers that pass."""

from __future__ import annotations

import re
from collections import deque
from typing import Final, NamedTuple

RATE_UNKNOWN: Final = 100.0
"""Tokens a second, until anything is known: what a slow processor does."""
TOKENS_MIN: Final = 64
"""Of a prompt from which anything is learnt: shorter ones are all overhead."""
REMEMBERED: Final = 8
"""Answers that are remembered."""
_COUNT: Final = re.compile(
    rb'"(total_duration|load_duration|prompt_eval_count|prompt_eval_duration|eval_count'
    rb'|eval_duration)":\s*(\d{1,18})'
)


class AnswerDurations(NamedTuple):
    """What an answer of Ollama's says of the work for it, durations in seconds."""

    total: float = 0.0
    load: float = 0.0
    prompt_tokens: int = 0
    prompt: float = 0.0
    tokens: int = 0
    generation: float = 0.0

    @property
    def waited(self) -> float:
        """How long the prompt waited for others, in seconds."""
        worked = self.load + self.prompt + self.generation
        return max(0.0, self.total - worked)


UNTOLD: Final = AnswerDurations()
"""Of an answer that says nothing of them."""


def durations_in(tail: bytes) -> AnswerDurations:
    """Return what the end of an answer says; zeros for what it does not say."""
    # The last of each name: a text of the model's may hold the same words, escaped.
    said = {name.decode(): int(number) for name, number in _COUNT.findall(tail)}
    return AnswerDurations(
        said.get("total_duration", 0) / 1e9,
        said.get("load_duration", 0) / 1e9,
        said.get("prompt_eval_count", 0),
        said.get("prompt_eval_duration", 0) / 1e9,
        said.get("eval_count", 0),
        said.get("eval_duration", 0) / 1e9,
    )


class EvaluationRate:
    """Knows how many tokens of a prompt are evaluated in a second, at least.

    Where the beginning of a prompt is cached, Ollama counts it and evaluates it in no
    time. The slowest of the last answers is therefore taken for the truth.
    """

    def __init__(self) -> None:
        self._rates: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def is_known(self) -> bool:
        """Whether any answer has told it."""
        return bool(self._rates)

    @property
    def tokens_per_second(self) -> float:
        """Tokens a second."""
        return min(self._rates, default=RATE_UNKNOWN)

    def learn(self, durations: AnswerDurations) -> None:
        """Take note of an answer."""
        if durations.prompt_tokens >= TOKENS_MIN and durations.prompt > 0:
            self._rates.append(durations.prompt_tokens / durations.prompt)

    def forget(self) -> None:
        """Know nothing any more: another model may be asked."""
        self._rates.clear()
