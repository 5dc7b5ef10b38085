"""What the flows need of language models: promises that others keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, SecretStr

from festinger.core.system.models import Model, Provider, Purpose, Usage
from festinger.errors import ModelError
from festinger.store.world.batches import RequestKey

Form = TypeVar("Form", bound=BaseModel)
"""What an answer must look like. A class of pydantic is the schema that the model is
held to and the check of what came, in one, and gives the flow a typed value."""


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
class Question:
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


class Answering(Protocol):
    """Asks the models of one provider."""

    async def answer(
        self, model: Model, key: SecretStr | None, question: Question
    ) -> Reply:
        """Makes one request, and none again; may be cancelled.

        Raises:
            TryAgain: It failed in a way that may pass in a moment.
            ModelError: It failed otherwise.
        """


class Place(NamedTuple):
    """Where a sealed key belongs: elsewhere it cannot be opened (F3)."""

    tenant: str
    model_id: int
    provider: Provider


class Sealed(NamedTuple):
    """A key as it is kept, and whose it is."""

    model_id: int
    provider: Provider
    key: bytes


class Keyring(Protocol):
    """Seals keys, and opens them again."""

    def seal(self, key: SecretStr, place: Place) -> bytes:
        """Seals a key with the newest key of the key file.

        Raises:
            KeyUnreadable: The key file cannot be used.
        """

    def open(self, sealed: bytes, place: Place) -> SecretStr:
        """Opens a key.

        Raises:
            KeyUnreadable: None of the key file's keys opens it there.
        """


class ModelStore(Protocol):
    """Where models are kept, what was spent on them, and which are chosen.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def models(self, tenant: str, day: date) -> list[Model]:
        """All models, oldest first, with what was spent on a day."""

    async def model(self, tenant: str, model_id: int, day: date) -> Model:
        """A model, with what was spent on a day.

        Raises:
            ModelNotFound: There is none.
        """

    async def sealed(self, tenant: str, model_id: int) -> bytes | None:
        """A model's key as it was sealed; None if it has none."""

    async def add(
        self,
        tenant: str,
        model: Model,
        seal: Callable[[int], bytes | None],
        request: RequestKey | None,
        day: date,
    ) -> Model:
        """Adds a model under a number of its own, or finds the one of a repeated call.

        Args:
            seal: Seals its key for that number.

        Raises:
            RequestIdReused: The request's id came with another request.
        """

    async def remove(self, tenant: str, model_id: int) -> None:
        """Removes a model, its key and its counts.

        Raises:
            ModelNotFound: There is none.
            ModelInUse: A setting names it.
        """

    async def reseal(
        self, tenant: str, seal_anew: Callable[[Iterable[Sealed]], Mapping[int, bytes]]
    ) -> int:
        """Seals all keys anew, or none; how many there were."""

    async def spend(
        self,
        tenant: str,
        model_id: int,
        purpose: Purpose,
        usage: Usage,
        day: date,
        *,
        answered: float | None = None,
        error: str = "",
    ) -> None:
        """Adds to what was spent on a day.

        Args:
            answered: When it answered, if it did as it was asked to.
            error: Why it failed, if it did.
        """

    async def spent(self, tenant: str, day: date) -> int:
        """Tokens that all models of a tenant took on a day, in and out."""

    async def settings(self, tenant: str) -> dict[str, tuple[str, float | None]]:
        """The rows of the `config` table: value, and when it was changed."""

    async def change_setting(
        self, tenant: str, key: str, value: str, at: float | None
    ) -> None:
        """Writes a row of the `config` table.

        Args:
            at: When it was changed; None if it has its default again.

        Raises:
            ModelNotFound: It names a model that there is not.
        """
