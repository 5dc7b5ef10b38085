"""Providers by name; their SDKs are imported at the first request."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.system.models import Provider
from festinger.llm.claude import ClaudeProvider
from festinger.llm.interface import ModelProvider
from festinger.llm.ollama import OllamaProvider
from festinger.llm.openai import OpenAIProvider


def providers(upstreams: Sequence[str]) -> dict[Provider, ModelProvider]:
    """Return the client of each provider.

    Args:
        upstreams: The addresses of Ollama behind the shim, the preferred one first.
    """
    return {
        Provider.CLAUDE: ClaudeProvider(),
        Provider.OPENAI: OpenAIProvider(),
        Provider.OLLAMA: OllamaProvider(upstreams),
    }
