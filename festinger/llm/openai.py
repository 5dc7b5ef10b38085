"""Client of OpenAI's API and compatible servers, with a schema as response format."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from pydantic import BaseModel, SecretStr

from festinger.core.system.models import Model
from festinger.llm import sdk
from festinger.llm.failures import NotTaken
from festinger.llm.interface import (
    OUTPUT_TOKENS_MAX,
    ModelQuestion,
    Reply,
    Tokens,
    turns_of,
)

ADDRESS = "https://api.openai.com/v1"

# English has about four characters a token.
_TOKEN_CHARACTERS = 4


class OpenAIProvider:
    """Client of OpenAI's models, and of those of compatible servers."""

    def __init__(self) -> None:
        self._plain: set[tuple[str, str]] = set()
        """Addresses and models for which a schema was refused."""

    async def answer(
        self, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        """Make one request; make another without a schema if a server refuses it."""
        place = (model.base_url, model.name)
        # Known to refuse schemas: the first request would be lost each time.
        if place in self._plain:
            return await self._ask(model, key, _without_schema(question))
        try:
            return await self._ask(model, key, _with_schema(question))
        except NotTaken:
            # OpenAI's own API supports schemas; not every compatible server does.
            if not model.base_url:
                raise
        reply = await self._ask(model, key, _without_schema(question))
        # Only after it answered, or a refusal for other reasons would disable schemas for good.
        self._plain.add(place)
        return reply

    async def _ask(
        self, model: Model, key: SecretStr | None, asked: dict[str, Any]
    ) -> Reply:
        async def prepared(request: Any) -> None:
            """Set our key and remove the headers that the environment determines."""
            for header in ("authorization", "openai-organization", "openai-project"):
                request.headers.pop(header, None)
            if key:
                secret = key.get_secret_value()
                request.headers["authorization"] = f"Bearer {secret}"

        def make(openai: ModuleType, connections: Any) -> tuple[Any, Any]:
            """Return the SDK's client and its method."""
            client = openai.AsyncOpenAI(
                # Not empty, or the environment's would be used.
                api_key=key.get_secret_value() if key else "none",
                base_url=model.base_url or ADDRESS,
                max_retries=0,
                timeout=connections.timeout,
                http_client=connections,
            )
            return client, client.chat.completions.with_raw_response.create

        # OpenAI's own API accepts the new name only, most other servers the old one.
        limit = "max_tokens" if model.base_url else "max_completion_tokens"
        async with sdk.connected("openai", model, make, prepared) as create:
            response = await create(
                model=model.name, **{limit: OUTPUT_TOKENS_MAX}, **asked
            )
            completion = sdk.read(_Completion, response, model)
        # Its length stands for tokens where the server does not count them.
        return completion.reply(len(json.dumps(asked)))


def _with_schema(question: ModelQuestion) -> dict[str, Any]:
    return {
        "messages": [
            {"role": "system", "content": question.system},
            *turns_of(question),
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "answer",
                "strict": True,
                "schema": question.schema,
            },
        },
    }


def _without_schema(question: ModelQuestion) -> dict[str, Any]:
    system = (
        f"{question.system}\n\nAnswer with a JSON object that fits this JSON schema, and "
        f"with nothing else:\n{json.dumps(question.schema)}"
    )
    # The schema goes into the instructions; `json_object` enforces JSON at least.
    return {
        "messages": [{"role": "system", "content": system}, *turns_of(question)],
        "response_format": {"type": "json_object"},
    }


class _OpenAIText(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _OpenAIText
    finish_reason: str | None = None


class _OpenAIUsage(BaseModel):
    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0


class _Completion(BaseModel):
    """The used part of a completion; not every compatible server counts tokens."""

    choices: list[_Choice]
    usage: _OpenAIUsage | None = None

    def reply(self, asked_characters: int) -> Reply:
        """Return the reply; its text is empty if the model refuses.

        Args:
            asked_characters: The length of the request.
        """
        choice = self.choices[0] if self.choices else _Choice(message=_OpenAIText())
        # Null if the model refuses or only calls a tool.
        text = choice.message.content or ""
        # Estimated where the server does not count, so that budgets apply.
        usage = self.usage or _OpenAIUsage(
            prompt_tokens=asked_characters // _TOKEN_CHARACTERS,
            completion_tokens=len(text) // _TOKEN_CHARACTERS,
        )
        return Reply(
            text,
            usage.prompt_tokens,
            usage.completion_tokens,
            cut=choice.finish_reason == "length",
        )
