"""Client of Ollama's API; the schema is the format of a chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import aiohttp
from pydantic import BaseModel, SecretStr, ValidationError

from festinger.core.system.models import Model
from festinger.llm import failures
from festinger.llm.failures import ANSWER_BYTES_MAX, CONNECT_SECONDS_MAX
from festinger.llm.interface import (
    OUTPUT_TOKENS_MAX,
    ModelQuestion,
    Reply,
    Tokens,
    TryAgain,
    turns_of,
)


class OllamaProvider:
    """Client of Ollama's models, bypassing the shim, so that no memory learns from it.

    Args:
        upstreams: The addresses for models without one, each tried if those before it
            failed.
    """

    def __init__(self, upstreams: Sequence[str]) -> None:
        self._upstreams = list(upstreams)

    async def answer(
        self, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        """Make one request; after a transient failure, try the next upstream."""
        *others, last = [model.base_url] if model.base_url else self._upstreams
        for address in others:
            try:
                return await self._ask(address, model, key, question)
            # Only what may be better elsewhere: a refused key is refused by all.
            except TryAgain:
                continue
        return await self._ask(last, model, key, question)

    async def _ask(
        self, address: str, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        # Compressed, a small answer could grow to any size; the limit is on what is read.
        headers = {"Accept-Encoding": "identity"}
        if key:
            headers["Authorization"] = f"Bearer {key.get_secret_value()}"
        # The caller limits the total time of a request.
        timeout = aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS_MAX)
        # The official client would add a second HTTP library, and does not limit answers.
        try:
            async with (
                aiohttp.ClientSession(
                    timeout=timeout, auto_decompress=False, headers=headers
                ) as session,
                session.post(
                    f"{address}/api/chat",
                    json=_asked(model, question),
                    # A key is only sent to the configured address.
                    allow_redirects=False,
                ) as response,
            ):
                body = await _body(response, model)
        except (aiohttp.ClientError, OSError):
            raise failures.of_connection(model) from None
        if response.status != 200:
            raise failures.of_status(
                model,
                response.status,
                {name.lower(): value for name, value in response.headers.items()},
                # Without the body, whose message may quote the question.
                None,
            )
        try:
            return _Chat.model_validate_json(body).reply
        except ValidationError:
            raise failures.of_garbage(model) from None


def _asked(model: Model, question: ModelQuestion) -> dict[str, Any]:
    return {
        "model": model.name,
        "messages": [
            {"role": "system", "content": question.system},
            *turns_of(question),
        ],
        "stream": False,
        "format": dict(question.schema),
        # Small models follow a schema better without randomness.
        "options": {"temperature": 0, "num_predict": OUTPUT_TOKENS_MAX},
    }


async def _body(response: aiohttp.ClientResponse, model: Model) -> bytes:
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise failures.of_size(model)
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > ANSWER_BYTES_MAX:
            raise failures.of_size(model)
    return bytes(body)


class _OllamaText(BaseModel):
    content: str


class _Chat(BaseModel):
    """The used part of a chat response."""

    message: _OllamaText
    done_reason: str = ""
    prompt_eval_count: Tokens = 0
    eval_count: Tokens = 0

    @property
    def reply(self) -> Reply:
        """The reply."""
        return Reply(
            self.message.content,
            self.prompt_eval_count,
            self.eval_count,
            cut=self.done_reason == "length",
        )
