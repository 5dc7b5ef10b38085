"""Language models for background work, their purposes and their usage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum


class Provider(StrEnum):
    """Provider whose API serves a model."""

    CLAUDE = "claude"
    """The API of Anthropic."""
    OPENAI = "openai"
    """The API of OpenAI, or of a compatible server at the model's address."""
    OLLAMA = "ollama"
    """The API of Ollama: the shim's upstream, unless the model has an address."""

    def needs_key(self, base_url: str = "") -> bool:
        """Return whether its models require an API key.

        Args:
            base_url: Address of the model; empty for the provider's own address.
        """
        if self is Provider.OPENAI:
            # Self-hosted servers with this API mostly require none.
            return not base_url
        return self is Provider.CLAUDE


class Purpose(StrEnum):
    """Purpose for which a model is asked."""

    RESOLVE = "resolve"
    """Settle a conflict."""
    EXTRACT = "extract"
    """Extract memories from a conversation."""
    GUESS = "guess"
    """Guess the statement of an ambiguous sentence."""
    DREAM = "dream"
    """Examine a candidate that people rejected or did not decide."""
    READ = "read"
    """Read statements from what people said."""
    TEST = "test"
    """Test whether the model answers."""


# `read` is chosen in the configuration (`learning.model`), `test` by its caller.
CHOOSING: Mapping[Purpose, str] = {
    Purpose.RESOLVE: "resolve_model_id",
    Purpose.EXTRACT: "extract_model_id",
    Purpose.GUESS: "guess_model_id",
    Purpose.DREAM: "dream_model_id",
}
"""Name of the setting with the model for a purpose."""


def unchosen(purpose: Purpose) -> str:
    """Return the message for a purpose that has no model."""
    return (
        "no model is chosen. List them with festinger system models, then: festinger config "
        f"set {CHOOSING[purpose]} NUMBER"
    )


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests and tokens spent.

    Attributes:
        failures: Failed requests, including retries.
        input_tokens: Tokens sent, as the provider counted them.
        output_tokens: Tokens received, as the provider counted them.
    """

    calls: int = 0
    failures: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Model:
    """A language model.

    Attributes:
        name: The provider's name for it.
        base_url: Address of its API; empty for the provider's own address.
        key_hint: Last four characters of its key; empty if it has none.
        created: Time of its registration, in seconds since the epoch.
        last_answer: Time of its last answer, in seconds since the epoch; None for none.
        last_error: Error of its last request; empty if that succeeded.
        today: Usage of the current day (UTC), by purpose.
    """

    id: int
    provider: Provider
    name: str
    base_url: str = ""
    key_hint: str = ""
    created: float = 0.0
    last_answer: float | None = None
    last_error: str = ""
    today: Mapping[Purpose, Usage] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"model {self.id} ({self.provider} {self.name})"


def usage_day(now: float) -> date:
    """Return the day to which usage is charged at a time in seconds since the epoch."""
    # UTC, so that the day is the same on all servers.
    return datetime.fromtimestamp(now, UTC).date()
