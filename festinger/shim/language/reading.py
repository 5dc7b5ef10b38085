"""A bounded request to a loaded model, with a streamed answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from festinger.core.language.reader.questions import estimate_tokens
from festinger.shim.language.loaded import LoadedModel
from festinger.shim.language.rate import AnswerDurations, durations_in
from festinger.shim.proxy.proxy import Upstream, answered

# Limits for a model that repeats itself without an end.
ANSWER_CHARACTERS_MAX: Final = 1_000_000
ANSWER_BYTES_MAX: Final = 8_000_000
"""Maximum size of all lines of an answer, including the JSON around the text."""
ANSWER_TOKENS_MAX: Final = 4_096
"""Maximum number of tokens that a model may generate."""


class AnswerUnusable(Exception):
    """A model's answer cannot be used; the message never quotes the answer."""


class ModelDeclined(Exception):
    """The upstream refused or failed, which is not the turns' fault."""


class ReadingCancelled(Exception):
    """The request was cancelled because a prompt arrived."""


@dataclass(slots=True)
class ReaderStatistics:
    """Results of reading since the shim started.

    Attributes:
        batches: Number of answers submitted to the memory.
        yielded: Number of requests cancelled for a prompt.
        failed: Number of requests without a usable answer.
        learned: Number of statements that became held or corroborated a held one.
        delayed: Total delay of prompts in seconds.
        delayed_max: Longest delay of a prompt in seconds.
        state: Current activity, or the reason for waiting, in a sentence.
    """

    batches: int = 0
    yielded: int = 0
    failed: int = 0
    learned: int = 0
    delayed: float = 0.0
    delayed_max: float = 0.0
    state: str = "it starts"

    def note_delay(self, seconds: float) -> None:
        """Record the delay of a prompt in seconds."""
        self.delayed += seconds
        self.delayed_max = max(self.delayed_max, seconds)


class ModelAnswer(NamedTuple):
    """Text of a model's answer, and the durations that Ollama reports for it."""

    text: str
    durations: AnswerDurations


def request_body(
    model: LoadedModel,
    options: Mapping[str, Any],
    *,
    system: str,
    prompt: str,
    schema: str,
    answer_tokens_max: int,
) -> bytes:
    """Return the body of a request that does not cause the model to be reloaded.

    Args:
        options: Options that the agents' prompts load the model with.
    """
    # Without `keep_alive`, so that the agents' own value stays in force.
    body = {
        "model": model.name,
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": prompt},
        ],
        # Streamed, so that the upstream notices a disconnect between two tokens.
        "stream": True,
        "think": False,
        "format": json.loads(schema),
        "options": {
            # The model is loaded with these: any other value would reload it (J3).
            **options,
            "num_ctx": model.context,
            # The same turns give the same statements.
            "temperature": 0,
            "num_predict": answer_tokens_max,
        },
    }
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


class AnswerReader:
    """Incremental parser of an answer, streamed or in one piece.

    Attributes:
        began: Whether any data arrived, so that the prompt is evaluated.
        is_done: Whether the upstream has marked the answer as complete.
    """

    def __init__(self) -> None:
        self.began = self.is_done = False
        self._rest = b""
        self._bytes = 0
        self._texts: list[str] = []
        self._characters = 0
        self._last = b""

    def feed(self, chunk: bytes) -> None:
        """Process a chunk.

        Raises:
            AnswerUnusable: The answer is malformed or too large.
            ModelDeclined: The upstream reports an error.
        """
        # The first token: from now on the upstream notices a disconnect at once.
        self.began = self.began or bool(chunk.strip())
        self._bytes += len(chunk)
        if self._bytes > ANSWER_BYTES_MAX:
            raise AnswerUnusable("the answer does not end")
        # A line may be split between chunks; the last part is kept.
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._read(line)

    def end(self) -> ModelAnswer:
        """Return the whole answer.

        Raises:
            AnswerUnusable: The answer is incomplete, malformed or too large.
            ModelDeclined: The upstream reports an error.
        """
        # The last line may come without a newline.
        self._read(self._rest)
        # A stream without its end was broken off, whatever the connection says.
        if not self.is_done:
            raise AnswerUnusable("the answer broke off")
        return ModelAnswer("".join(self._texts), durations_in(self._last))

    def _read(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise AnswerUnusable("the upstream answered no JSON") from None
        if not isinstance(value, dict):
            raise AnswerUnusable("the upstream answered no object")
        # After the first byte Ollama reports an error as a line, with status 200.
        if "error" in value:
            raise ModelDeclined("the upstream broke the answer off with an error")
        self._last, self.is_done = line, value.get("done") is True
        message = value.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if isinstance(text, str):
            self._texts.append(text)
            self._characters += len(text)
        if self._characters > ANSWER_CHARACTERS_MAX:
            raise AnswerUnusable("the answer does not end")


async def ask(upstream: Upstream, body: bytes, reader: AnswerReader) -> ModelAnswer:
    """Send a request and return its answer.

    If cancelled, the connection is closed at once, so that the model stops.

    Args:
        reader: Parser that is fed the answer; callers may watch its progress.

    Raises:
        AnswerUnusable: The answer is incomplete, malformed or too large.
        ModelDeclined: The upstream fails, refuses or breaks the answer off.
    """
    async with answered(upstream, "/api/chat", body, ModelDeclined) as response:
        async for chunk in response.content.iter_any():
            reader.feed(chunk)
            # Without waiting for the connection's end.
            if reader.is_done:
                break
        return reader.end()


def spent_on(answer: ModelAnswer, tokens: int) -> int:
    """Return the number of tokens of a request and its answer.

    Counts that Ollama does not report are estimated.

    Args:
        tokens: Estimated number of tokens of the request.
    """
    durations = answer.durations
    read = durations.prompt_tokens or tokens
    return read + (durations.tokens or estimate_tokens(answer.text))
