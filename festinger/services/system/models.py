"""Models of a tenant: add, remove and test them, and rotate their keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr

from festinger.config import check_upstream, host_and_port, is_loopback
from festinger.core.system.models import Model, Provider, Purpose
from festinger.errors import (
    ConfigurationError,
    InvalidArgument,
    KeyUnreadable,
    ModelError,
)
from festinger.llm.interface import KeyPlace
from festinger.services.system.model_asker import Limits, ModelAsker

if TYPE_CHECKING:
    # Loads cryptography, which nobody needs who only asks.
    from festinger.llm.keyring import FileKeyring
    from festinger.store.system.models import PostgresModels, SealedKey
    from festinger.store.world.batches import RequestKey

HINT_CHARACTERS = 4
# Printable ASCII without spaces: a header could carry nothing else.
_KEY = re.compile(r"[!-~]{1,1000}")


class ModelTest(BaseModel):
    """Answer of a model that is tested."""

    word: str


@dataclass(frozen=True, slots=True)
class ModelTestResult:
    """Result of testing a model.

    Attributes:
        error: Why it failed; empty if it answered.
        seconds: Duration of the test.
    """

    model: Model
    error: str
    seconds: float


@dataclass(eq=False)
class Models:
    """The models of all tenants.

    Args:
        asker: Asks the models that are tested.
        monotonic: Monotonic clock in seconds.
        own: Address of the shim as HOST:PORT, which no model may have: the memory would
            learn from its own questions.
    """

    store: PostgresModels
    keyring: FileKeyring
    asker: ModelAsker
    _: KW_ONLY
    monotonic: Callable[[], float]
    own: str = ""

    async def list(self, tenant: str) -> list[Model]:
        """Return all models, oldest first, with their usage of today."""
        return await self.store.models(tenant, self.asker.today)

    async def add(
        self,
        tenant: str,
        provider: Provider,
        name: str,
        *,
        key: SecretStr | None,
        base_url: str,
        request: RequestKey | None = None,
    ) -> Model:
        """Add a model.

        Raises:
            InvalidArgument: The provider needs a key, or the name, key or address is
                invalid.
            KeyUnreadable: The key file cannot be used.
        """
        if not name.isprintable() or not name.strip():
            raise InvalidArgument(
                "write the provider's name for the model, such as claude-opus-4-6",
                field="model_name",
            )
        _check_key(provider, key, base_url)
        address = self._checked(base_url)

        def seal(model_id: int) -> bytes | None:
            """Return the encrypted key; None without a key."""
            # Called by the store with the number that it gives out: the key is bound to it (F3).
            place = KeyPlace(tenant, model_id, provider)
            return self.keyring.seal(key, place) if key else None

        model = Model(0, provider, name.strip(), address, key_hint=hint_of(key))
        return await self.store.add(tenant, model, seal, request, self.asker.today)

    async def remove(self, tenant: str, model_id: int) -> None:
        """Remove a model and its key. Raises `ModelNotFound` or `ModelInUse`."""
        await self.store.remove(tenant, model_id)

    async def test(
        self, tenant: str, model_id: int, seconds_max: float
    ) -> ModelTestResult:
        """Ask a model for one word, once, or raise `ModelNotFound`."""
        model = await self.store.model(tenant, model_id, self.asker.today)
        started, error = self.monotonic(), ""
        try:
            await self.asker.ask_model(
                tenant,
                model,
                Purpose.TEST,
                # The smallest answer that shows that forms work, too.
                system="You are being tried. Answer in JSON.",
                prompt='Answer {"word": "pong"}.',
                form=ModelTest,
                # One attempt: whoever tests wants to see the first error.
                limits=Limits(answer_seconds_max=seconds_max, attempts_max=1),
            )
        except (ModelError, KeyUnreadable) as failure:
            error = failure.message
        seconds = self.monotonic() - started
        model = await self.store.model(tenant, model_id, self.asker.today)
        return ModelTestResult(model, error, seconds)

    async def rotate(self, tenant: str) -> int:
        """Encrypt all keys of a tenant again with the newest key of the key file.

        Returns:
            The number of keys.

        Raises:
            KeyUnreadable: A key cannot be decrypted; nothing was changed.
        """

        def anew(sealed: Iterable[SealedKey]) -> Mapping[int, bytes]:
            """Return the keys, encrypted with the newest key."""
            # All in one transaction: half of the keys under an old key would be lost with it.
            fresh = {}
            for model_id, provider, key in sealed:
                place = KeyPlace(tenant, model_id, provider)
                fresh[model_id] = self.keyring.seal(
                    self.keyring.open(key, place), place
                )
            return fresh

        return await self.store.reseal(tenant, anew)

    def _checked(self, base_url: str) -> str:
        if not base_url:
            return ""
        try:
            # As strict as upstreams, which are also addresses that this server calls.
            checked = check_upstream(base_url)
            parts = urlsplit(checked)
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except (ConfigurationError, ValueError):
            raise InvalidArgument(
                "base_url is no address. Write one such as http://127.0.0.1:8000/v1",
                field="base_url",
            ) from None
        # `http://user:secret@host` would be shown in lists.
        if parts.username is not None or parts.password is not None:
            raise InvalidArgument(
                "base_url must hold no password: it is not kept secret. Give it as the "
                "model's key",
                field="base_url",
            )
        # Through the shim, the memory's own questions would be read as prompts.
        if self.own and _is_at(parts.hostname or "", port, self.own):
            raise InvalidArgument(
                "base_url is the shim's, and what the memory asks must not teach it. "
                "Write the address of the model's own server",
                field="base_url",
            )
        return checked


def hint_of(key: SecretStr | None) -> str:
    """Return the last characters of a key for display; empty if it is short."""
    text = key.get_secret_value() if key else ""
    # Four of eight characters would be half of the key.
    return text[-HINT_CHARACTERS:] if len(text) > 2 * HINT_CHARACTERS else ""


def _is_at(host: str, port: int, address: str) -> bool:
    """Return whether a host and port are an address; loopback names are the same."""
    own_host, own_port = host_and_port(address)
    # `localhost` and `127.0.0.1` are one address.
    return port == own_port and (host == own_host or is_loopback(host))


def _check_key(provider: Provider, key: SecretStr | None, base_url: str) -> None:
    if key is None:
        if provider.needs_key(base_url):
            raise InvalidArgument(
                f"{provider} needs a key: festinger system models add {provider} NAME asks "
                "for it",
                field="api_key",
            )
    # A line break would end the header, and begin another one.
    elif not _KEY.fullmatch(key.get_secret_value()):
        raise InvalidArgument(
            "the key holds spaces, line breaks or other characters that no key has, or "
            "more than 1000 of them",
            field="api_key",
        )
