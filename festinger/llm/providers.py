"""The providers, by name; nothing of theirs is imported before one is asked."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.system.models import Provider
from festinger.llm.claude import ClaudeProvider
from festinger.llm.interface import ModelProvider
from festinger.llm.ollama import OllamaProvider
from festinger.llm.openai import OpenAIProvider


def providers(upstreams: Sequence[str]) -> dict[Provider, ModelProvider]:
    """Whom to ask for each provider's models.

    Args:
        upstreams: The Ollamas behind the shim, the first choice first.
    """
    return {
        Provider.CLAUDE: ClaudeProvider(),
        Provider.OPENAI: OpenAIProvider(),
        Provider.OLLAMA: OllamaProvider(upstreams),
    }
