"""The lines that point clients at the shim, for a memory that knows nothing yet."""

from __future__ import annotations

from typing import Final, NamedTuple


class ClientLine(NamedTuple):
    """Line that a person pastes into a client.

    Attributes:
        client: The client's name.
        place: Where the line goes.
    """

    client: str
    place: str
    text: str


_LINES: Final = (
    ClientLine("Ollama and its libraries", "a shell", "export OLLAMA_HOST={url}"),
    ClientLine("OpenAI libraries", "a shell", "export OPENAI_BASE_URL={url}/v1"),
    ClientLine(
        "Claude Code, Anthropic libraries", "a shell", "export ANTHROPIC_BASE_URL={url}"
    ),
    ClientLine("Codex", "a shell", "export CODEX_OSS_BASE_URL={url}/v1"),
    ClientLine("aider", "a shell", "export OLLAMA_API_BASE={url}"),
    ClientLine("Open WebUI", "its environment", "OLLAMA_BASE_URL={url}"),
    ClientLine("Continue", "a model in config.yaml", "apiBase: {url}"),
    ClientLine("Cline", "Base URL of Ollama", "{url}"),
    ClientLine("LangChain", "Python", 'ChatOllama(model="llama3", base_url="{url}")'),
    ClientLine("LiteLLM", "Python", 'completion("ollama/llama3", …, api_base="{url}")'),
    ClientLine("Cursor and others, by MCP", "a shell", "festinger connect cursor"),
)


def client_lines(url: str) -> list[ClientLine]:
    """Return the lines of all clients, for a shim at a URL without a path."""
    # Not `format`: the text of a client may have braces of its own.
    return [it._replace(text=it.text.replace("{url}", url)) for it in _LINES]
