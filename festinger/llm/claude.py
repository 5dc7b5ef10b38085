"""Client of Anthropic's API; the answer is the input of a tool the model must call."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from pydantic import BaseModel, SecretStr

from festinger.core.system.models import Model
from festinger.llm import sdk
from festinger.llm.interface import (
    OUTPUT_TOKENS_MAX,
    ModelQuestion,
    Reply,
    Tokens,
    turns_of,
)

ADDRESS = "https://api.anthropic.com"

# The model must call this tool, whose input is the answer: that enforces the schema.
_TOOL = "answer"


class ClaudeProvider:
    """Client of Anthropic's models."""

    async def answer(
        self, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        """Make one request."""

        def make(anthropic: ModuleType, connections: Any) -> tuple[Any, Any]:
            """Return the SDK's client and its method."""
            client = anthropic.AsyncAnthropic(
                # Not None, or the environment's key would be used.
                api_key=key.get_secret_value() if key else "",
                # If it were omitted, the environment's would be used.
                base_url=model.base_url or ADDRESS,
                # Retries are the caller's, which checks the budget before each.
                max_retries=0,
                timeout=connections.timeout,
                http_client=connections,
            )
            return client, client.messages.with_raw_response.create

        async with sdk.connected("anthropic", model, make) as create:
            response = await create(
                model=model.name,
                max_tokens=OUTPUT_TOKENS_MAX,
                system=question.system,
                messages=turns_of(question),
                tools=[
                    {
                        "name": _TOOL,
                        "description": "Takes the answer.",
                        "input_schema": question.schema,
                    }
                ],
                tool_choice={"type": "tool", "name": _TOOL},
            )
            return sdk.read(_Message, response, model).reply


class _Block(BaseModel):
    type: str
    text: str = ""
    input: Any = None


class _ClaudeUsage(BaseModel):
    input_tokens: Tokens
    output_tokens: Tokens


class _Message(BaseModel):
    """The used part of a message."""

    content: list[_Block]
    stop_reason: str | None
    usage: _ClaudeUsage

    @property
    def reply(self) -> Reply:
        """The reply: the tool's input, or the text if the tool was not called."""
        called = [block.input for block in self.content if block.type == "tool_use"]
        said = "".join(block.text for block in self.content if block.type == "text")
        # Without a call, the text may still be JSON; the caller checks it.
        return Reply(
            json.dumps(called[0]) if called else said,
            self.usage.input_tokens,
            self.usage.output_tokens,
            cut=self.stop_reason == "max_tokens",
        )
