"""What is asked of language models, and what the services need of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, SecretStr

from festinger.core.system.models import Model, Provider, Purpose
from festinger.errors import ModelError

Form = TypeVar("Form", bound=BaseModel)
"""What an answer must look like. A class of pydantic is the schema that the model is
held to and the check of what came, in one, and gives the service a typed value."""


class LanguageModel(Protocol):
    """Answers questions, by the model that a tenant chose."""

    async def ask(
        self,
        tenant: str,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
    ) -> Form:
        """Asks the model that the tenant chose for a purpose.

        It may take minutes, and costs tokens; never call it in a transaction (C9).
        Failures that pass by themselves were waited for already.

        Args:
            system: What the model is to do.
            prompt: What it is to do it with.
            form: What the answer must look like. A field that is a closed list is best
                a `Literal`, made with `pydantic.create_model` if it is not constant.

        Raises:
            NoModel: None is chosen.
            ModelUnavailable: It does not answer; later it may.
            ModelRefused: Its key, its name or the request is not accepted.
            ModelExhausted: The provider's quota or the tenant's budget is used up.
            BadAnswer: What it answered is not of that form, nor was it when it was
                told so.
            KeyUnreadable: Its key cannot be decrypted.
            DatabaseUnavailable: The settings cannot be read, or the usage written.
        """


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """What a model is asked, once.

    Attributes:
        schema: The JSON schema that the answer must fit.
        wrong: What it answered before, and what is wrong with that; none at first.
    """

    system: str
    prompt: str
    schema: Mapping[str, Any]
    wrong: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: Should be JSON.
        cut: Whether it ends where the model was stopped.
    """

    text: str
    input_tokens: int
    output_tokens: int
    cut: bool = False


class TryAgain(Exception):
    """A request failed in a way that may pass in a moment.

    Attributes:
        error: What is told if it does not.
        after: Seconds that the provider wants us to wait; None if it does not say.
    """

    def __init__(self, error: ModelError, after: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.after = after


class ModelProvider(Protocol):
    """Asks the models of one provider."""

    async def answer(
        self, model: Model, key: SecretStr | None, question: ModelQuestion
    ) -> Reply:
        """Makes one request, and none again; may be cancelled.

        Raises:
            TryAgain: It failed in a way that may pass in a moment.
            ModelError: It failed otherwise.
        """


class KeyPlace(NamedTuple):
    """Where a sealed key belongs: elsewhere it cannot be opened (F3)."""

    tenant: str
    model_id: int
    provider: Provider
