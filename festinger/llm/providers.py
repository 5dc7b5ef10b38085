"""The providers, by name; nothing of theirs is imported before one is asked."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.system.models import Provider
from festinger.llm.claude import Claude
from festinger.llm.interface import Answering
from festinger.llm.ollama import Ollama
from festinger.llm.openai import OpenAI


def providers(upstreams: Sequence[str]) -> dict[Provider, Answering]:
    """Whom to ask for each provider's models.

    Args:
        upstreams: The Ollamas behind the shim, the first choice first.
    """
    return {
        Provider.CLAUDE: Claude(),
        Provider.OPENAI: OpenAI(),
        Provider.OLLAMA: Ollama(upstreams),
    }
