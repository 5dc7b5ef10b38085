"""Interface between services, language models and their providers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, Field, SecretStr

from festinger.core.system.models import Model, Provider, Purpose
from festinger.errors import ModelError

Form = TypeVar("Form", bound=BaseModel)
"""The form of an answer: a pydantic class, which is the schema that the model is given,
the validation of its answer, and the type of the value that the service gets."""


OUTPUT_TOKENS_MAX = 8192
"""The maximum number of tokens in an answer: usual answers have hundreds, and reasoning
counts too."""
# Enough to recognise the answer; all of a long one would crowd out the question.
_WRONG_CHARACTERS_MAX = 4000

Tokens = Annotated[int, Field(ge=0, le=10**9)]
"""A number of tokens that a provider reports, within plausible limits."""


class LanguageModel(Protocol):
    """Protocol of a client of the language models that tenants chose."""

    async def ask(
        self,
        tenant: str,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
    ) -> Form:
        """Ask the model that the tenant chose for a purpose.

        A call may take minutes and costs tokens; never make it in a transaction (C9).
        Transient failures are retried before an error is raised.

        Args:
            form: The form of the answer. A field with a closed list of values is best a
                `Literal`, made with `pydantic.create_model` if it is not constant.

        Raises:
            NoModel: No model is chosen.
            ModelUnavailable: The model does not answer; a later call may succeed.
            ModelRefused: Its key, its name or the request is not accepted.
            ModelExhausted: The provider's quota or the tenant's budget is used up.
            BadAnswer: The answer does not have that form, even after a second request
                that explained the error.
            KeyUnreadable: Its key cannot be decrypted.
            DatabaseUnavailable: The settings cannot be read, or the usage not written.
        """


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A single request to a model.

    Attributes:
        wrong: The previous answer and the error in it; None for the first request.
    """

    system: str
    prompt: str
    schema: Mapping[str, Any]
    wrong: tuple[str, str] | None = None


def turns_of(question: ModelQuestion) -> list[dict[str, str]]:
    """Return the question's messages, including a rejected answer and the reason."""
    turns = [{"role": "user", "content": question.prompt}]
    if question.wrong:
        answer, why = question.wrong
        turns += [
            # Some providers refuse an empty message.
            {
                "role": "assistant",
                "content": answer[:_WRONG_CHARACTERS_MAX] or "(none)",
            },
            {
                "role": "user",
                "content": f"That cannot be used: {why}. Answer again, in the form that "
                "was asked for.",
            },
        ]
    return turns


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer.

    Attributes:
        text: The answer, which should be JSON.
    """

    text: str
    input_tokens: int
    output_tokens: int
    cut: bool = False


class TryAgain(Exception):
    """Transient failure of a request, which may be retried.

    Attributes:
        error: The error to raise if the retries fail.
        after: The seconds to wait as requested by the provider; None if unspecified.
    """

    def __init__(self, error: ModelError, after: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.after = after


class ModelProvider(Protocol):
    """Protocol of a client of one provider's models."""

    async def answer(
        self, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        """Make one request without a retry; may be cancelled.

        Raises:
            TryAgain: The request failed, and a retry may succeed.
            ModelError: The request failed permanently.
        """


class KeyPlace(NamedTuple):
    """Place of a sealed key, which cannot be opened for another one (F3)."""

    tenant: str
    model_id: int
    provider: Provider
