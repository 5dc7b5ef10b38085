"""Ollama's API: the schema is the format of a chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import aiohttp
from pydantic import BaseModel, SecretStr, ValidationError

from festinger.core.system.models import Model
from festinger.llm import failures
from festinger.llm.failures import ANSWER_BYTES_MAX
from festinger.llm.interface import ModelQuestion, Reply, TryAgain
from festinger.llm.turns import OUTPUT_TOKENS_MAX, Tokens, turns_of

CONNECT_SECONDS_MAX = 10.0


class OllamaProvider:
    """Asks models of an Ollama, past the shim: what the memory asks teaches nothing.

    The official client would bring a second HTTP library and bounds no answer.

    Args:
        upstreams: Where it is asked for models without an address; the next one if
            one cannot be reached.
    """

    def __init__(self, upstreams: Sequence[str]) -> None:
        self._upstreams = list(upstreams)

    async def answer(
        self, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        """Makes one request; another one where there is another upstream."""
        *others, last = [model.base_url] if model.base_url else self._upstreams
        for address in others:
            try:
                return await self._ask(address, model, key, question)
            except TryAgain:
                continue
        return await self._ask(last, model, key, question)

    async def _ask(
        self, address: str, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        headers = {"Accept-Encoding": "identity"}
        if key:
            headers["Authorization"] = f"Bearer {key.get_secret_value()}"
        # The time that a request may take is the caller's business.
        timeout = aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS_MAX)
        try:
            async with (
                aiohttp.ClientSession(
                    timeout=timeout, auto_decompress=False, headers=headers
                ) as session,
                session.post(
                    f"{address}/api/chat",
                    json=_asked(model, question),
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
        # Small models keep to a schema better without chance.
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
    """What we need of a chat."""

    message: _OllamaText
    done_reason: str = ""
    prompt_eval_count: Tokens = 0
    eval_count: Tokens = 0

    @property
    def reply(self) -> Reply:
        """What was answered."""
        return Reply(
            self.message.content,
            self.prompt_eval_count,
            self.eval_count,
            cut=self.done_reason == "length",
        )
