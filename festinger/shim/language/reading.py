"""One request to a loaded model: sent, read as it streams, and bounded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import aiohttp

from festinger.core.language.reader.questions import estimate_tokens
from festinger.shim.language.loaded import LoadedModel
from festinger.shim.language.rate import AnswerDurations
from festinger.shim.proxy.proxy import Upstream

ANSWER_CHARACTERS_MAX: Final = 1_000_000
ANSWER_BYTES_MAX: Final = 8_000_000
"""Of all lines of an answer, what stands around the text included."""
ANSWER_TOKENS_MAX: Final = 4_096
"""Tokens that a model may write, at most."""


class AnswerUnusable(Exception):
    """What a model answered is no answer; says why, without any words of it."""


class ModelDeclined(Exception):
    """The upstream did not have the model answer: none of the turns' business."""


class GaveWay(Exception):
    """A prompt came, and the request ended for it."""


class ModelAnswer(NamedTuple):
    """What a model wrote, and what that took."""

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
    """Return the body of a request that leaves a model as it is loaded.

    There is no `keep_alive` in it, so that the agents' own stays.

    Args:
        options: By which the agents have it loaded.
        answer_tokens_max: Tokens that it may write.
    """
    body = {
        "model": model.name,
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": prompt},
        ],
        "stream": True,
        "think": False,
        "format": json.loads(schema),
        "options": {
            **options,
            "num_ctx": model.context,
            "temperature": 0,
            "num_predict": answer_tokens_max,
        },
    }
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


class AnswerReader:
    """Puts an answer together, whether it streams or comes at once.

    Attributes:
        began: Whether anything came: then the prompt is evaluated.
    """

    def __init__(self) -> None:
        self.began = False
        self._rest = b""
        self._bytes = 0
        self._texts: list[str] = []
        self._characters = 0
        self._last: dict[str, Any] = {}

    def feed(self, chunk: bytes) -> None:
        """Take in a chunk. Raise `AnswerUnusable` if there is no sense in more."""
        self.began = self.began or bool(chunk.strip())
        self._bytes += len(chunk)
        if self._bytes > ANSWER_BYTES_MAX:
            raise AnswerUnusable("the answer does not end")
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._read(line)

    def end(self) -> ModelAnswer:
        """Return the whole answer. Raise `AnswerUnusable` if it broke off."""
        self._read(self._rest)
        if not self._last.get("done"):
            raise AnswerUnusable("the answer broke off")
        return ModelAnswer("".join(self._texts), self._durations())

    @property
    def is_done(self) -> bool:
        """Whether the model has said that this is all."""
        return self._last.get("done") is True

    def _read(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise AnswerUnusable("the upstream answered no JSON") from None
        if not isinstance(value, dict):
            raise AnswerUnusable("the upstream answered no object")
        if "error" in value:
            raise ModelDeclined("the upstream broke the answer off with an error")
        self._last = value
        message = value.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if isinstance(text, str):
            self._texts.append(text)
            self._characters += len(text)
        if self._characters > ANSWER_CHARACTERS_MAX:
            raise AnswerUnusable("the answer does not end")

    def _durations(self) -> AnswerDurations:
        def number(name: str) -> int:
            value = self._last.get(name)
            return max(0, value) if isinstance(value, int) else 0

        return AnswerDurations(
            number("total_duration") / 1e9,
            number("load_duration") / 1e9,
            number("prompt_eval_count"),
            number("prompt_eval_duration") / 1e9,
            number("eval_count"),
            number("eval_duration") / 1e9,
        )


async def ask(upstream: Upstream, body: bytes, reader: AnswerReader) -> ModelAnswer:
    """Send a request and read its answer; cancelled, it hangs up at once.

    Args:
        reader: Gets the answer, so that others see how far it is.

    Raises:
        AnswerUnusable: The answer is none.
        ModelDeclined: There is no answer.
    """
    try:
        response = await upstream.send("/api/chat", body)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise ModelDeclined(f"the upstream fails: {type(error).__name__}") from None
    try:
        if response.status != 200:
            raise ModelDeclined(f"the upstream answers {response.status}")
        async for chunk in response.content.iter_any():
            reader.feed(chunk)
            if reader.is_done:
                break
        return reader.end()
    except (aiohttp.ClientError, OSError) as error:
        raise ModelDeclined(f"the upstream broke off: {type(error).__name__}") from None
    finally:
        # Closed, not given back: whatever still comes is for nobody.
        response.close()


def spent_on(answer: ModelAnswer, tokens: int) -> int:
    """Return how many tokens an answer took, as it says itself or as estimated.

    Args:
        tokens: Of the request, estimated.
    """
    durations = answer.durations
    read = durations.prompt_tokens or tokens
    return read + (durations.tokens or estimate_tokens(answer.text))
