"""Language models that are asked in the background: which there are, and for what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Provider(StrEnum):
    """Whose API a model is asked by."""

    CLAUDE = "claude"
    """Anthropic's."""
    OPENAI = "openai"
    """OpenAI's, or whatever speaks it at the model's address."""
    OLLAMA = "ollama"
    """Ollama's: the upstream of the shim, unless the model has an address."""

    def needs_key(self, base_url: str = "") -> bool:
        """Return whether its models are asked with a key only.

        Args:
            base_url: Of the model; empty for the provider's own address.
        """
        if self is Provider.OPENAI:
            # Servers of one's own that speak its API mostly want none.
            return not base_url
        return self is Provider.CLAUDE


class Purpose(StrEnum):
    """What a model is asked for."""

    RESOLVE = "resolve"
    """How a conflict is to be settled."""
    EXTRACT = "extract"
    """What is worth remembering of a conversation."""
    GUESS = "guess"
    """What an ambiguous sentence states."""
    DREAM = "dream"
    """What there is to a candidate that people rejected or left."""
    READ = "read"
    """What people stated."""
    TEST = "test"
    """Whether it answers at all."""


CHOOSING: Mapping[Purpose, str] = {
    Purpose.RESOLVE: "resolve_model_id",
    Purpose.EXTRACT: "extract_model_id",
    Purpose.GUESS: "guess_model_id",
    Purpose.DREAM: "dream_model_id",
}
"""The setting that chooses the model for a purpose."""


def unchosen(purpose: Purpose) -> str:
    """What is said where no model is chosen for a purpose."""
    return (
        "no model is chosen. List them with festinger models, then: festinger config "
        f"set {CHOOSING[purpose]} NUMBER"
    )


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent.

    Attributes:
        calls: Requests that were answered.
        failures: Requests that failed, the repeated ones included.
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
        base_url: Where it is asked; empty for the provider's own address.
        key_hint: The last four characters of its key; empty if it has none.
        created: Since when it is known, in seconds since the epoch.
        last_answer: When it last answered; None if it never did.
        last_error: Why it last failed; empty if it has answered since.
        today: What was spent on it today, in UTC.
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
