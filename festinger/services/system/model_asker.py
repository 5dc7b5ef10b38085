"""Ask language models, with budget, retries, and validation of answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import date
from random import random
from typing import TYPE_CHECKING

from pydantic import SecretStr, ValidationError

from festinger.core.system.models import (
    CHOOSING,
    Model,
    Provider,
    Purpose,
    Usage,
    unchosen,
    usage_day,
)
from festinger.core.system.preferences import Preferences
from festinger.errors import (
    BadAnswer,
    KeyUnreadable,
    ModelError,
    ModelExhausted,
    ModelNotFound,
    ModelUnavailable,
    NoModel,
)
from festinger.llm.interface import (
    Form,
    KeyPlace,
    ModelProvider,
    ModelQuestion,
    Reply,
    TryAgain,
)
from festinger.services.system.json_schema import read_answer, schema_of, what_is_wrong
from festinger.services.world.memory import Memories

if TYPE_CHECKING:
    # Loads cryptography, which nobody needs who only asks.
    from festinger.llm.keyring import FileKeyring
    from festinger.store.system.models import PostgresModels

ANSWERS_MAX = 2
"""Number of answers in the wrong form after which a question fails."""
PAUSE_SECONDS = 1.0
"""Upper bound of the first pause before a retry; it doubles for each further one."""
PAUSE_SECONDS_MAX = 60.0
"""The longest pause. If a provider demands a longer one, the request fails."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests to a model.

    Attributes:
        answer_seconds_max: Timeout of a request in seconds.
        attempts_max: Number of attempts before a request fails.
        calls_max: Concurrent requests to one model; further ones wait.
    """

    answer_seconds_max: float = 300.0
    attempts_max: int = 4
    calls_max: int = 2


@dataclass(eq=False)
class ModelAsker:
    """Implementation of `LanguageModel` on top of the providers.

    Args:
        jitter: Returns a random number in [0.0, 1.0), to spread retries.
    """

    store: PostgresModels
    keyring: FileKeyring
    providers: Mapping[Provider, ModelProvider]
    memories: Memories
    _: KW_ONLY
    now: Callable[[], float]
    limits: Limits = Limits()
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random
    # One semaphore for each model of a tenant, over all purposes.
    _calls: dict[tuple[str, int], asyncio.Semaphore] = field(
        default_factory=dict, init=False
    )

    @property
    def today(self) -> date:
        """The day in UTC to which usage is currently charged."""
        return usage_day(self.now())

    async def ask(
        self,
        tenant: str,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
    ) -> Form:
        """Ask the model that the tenant chose for a purpose."""
        preferences = (await self.memories.get(tenant)).preferences
        model = await self._chosen(tenant, purpose, preferences)
        return await self.ask_model(
            tenant, model, purpose, system=system, prompt=prompt, form=form
        )

    async def ask_model(
        self,
        tenant: str,
        model: Model,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
        limits: Limits | None = None,
    ) -> Form:
        """Ask a given model, regardless of the tenant's choice.

        Args:
            limits: Limits instead of the default ones; `calls_max` is ignored.

        Raises:
            ModelError: The model gave no usable answer.
            KeyUnreadable: Its key cannot be decrypted.
        """
        call = _ModelCall(tenant, model, purpose, limits or self.limits)
        call = replace(call, key=await self._key(call))
        turn = self._calls.setdefault(
            (tenant, model.id), asyncio.Semaphore(self.limits.calls_max)
        )
        # Local models answer one after the other, and providers limit concurrent requests.
        async with turn:
            return await self._formed(
                call, ModelQuestion(system, prompt, schema_of(form)), form
            )

    async def _chosen(
        self, tenant: str, purpose: Purpose, preferences: Preferences
    ) -> Model:
        key = CHOOSING[purpose]
        model_id: int = getattr(preferences, key)
        if not model_id:
            raise NoModel(unchosen(purpose), key=key)
        try:
            return await self.store.model(tenant, model_id, self.today)
        except ModelNotFound:
            raise NoModel(
                f"{key} names model {model_id}, and there is none. Choose another: "
                f"festinger config set {key} NUMBER (festinger system models lists them)",
                key=key,
            ) from None

    async def _key(self, call: _ModelCall) -> SecretStr | None:
        model = call.model
        sealed = await self.store.sealed(call.tenant, model.id)
        if sealed is None:
            return None
        try:
            # Opened for this place only: a key moved to another row does not open (F3).
            return self.keyring.open(
                sealed, KeyPlace(call.tenant, model.id, model.provider)
            )
        except KeyUnreadable as error:
            # Noted as the model's last error, for whoever looks into the list.
            await self._spend(call, Usage(), error=error.message)
            raise

    async def _formed(
        self, call: _ModelCall, question: ModelQuestion, form: type[Form]
    ) -> Form:
        """Return a valid answer; after an invalid one, ask again with the problem."""
        wrong = ""
        # The second question tells what was wrong with the first answer.
        for _ in range(ANSWERS_MAX):
            reply = await self._reply(call, question)
            try:
                answer = read_answer(form, reply.text)
            except ValidationError as error:
                wrong = what_is_wrong(error, cut=reply.cut)
                question = replace(question, wrong=(reply.text, wrong))
            else:
                await self._spend(call, Usage(), answered=self.now())
                return answer
        bad = BadAnswer(
            f"{call.model} answered twice what cannot be used: {wrong}. Another model "
            "may do better",
            model_id=str(call.model.id),
        )
        await self._spend(call, Usage(), error=bad.message)
        raise bad

    async def _reply(self, call: _ModelCall, question: ModelQuestion) -> Reply:
        """Return the reply to a question, after retries if necessary."""
        # Counted over the attempts of one answer; the second answer has its own.
        attempt = 1
        while True:
            # Before each attempt, since each costs tokens.
            await self._check_budget(call)
            try:
                return await self._request(call, question)
            except TryAgain as again:
                await self._spend(call, Usage(failures=1), error=again.error.message)
                pause = self._pause(attempt, again.after)
                # `from None`: the causes quote requests, which hold people's words.
                if attempt >= call.limits.attempts_max or pause is None:
                    raise again.error from None
            except ModelError as error:
                await self._spend(call, Usage(failures=1), error=error.message)
                raise
            await self.sleep(pause)
            attempt += 1

    async def _request(self, call: _ModelCall, question: ModelQuestion) -> Reply:
        """Make one request, and charge the usage if it is answered."""
        answering = self.providers[call.model.provider]
        seconds = call.limits.answer_seconds_max
        try:
            # The SDKs limit the connecting only: this covers the whole request.
            async with asyncio.timeout(seconds):
                reply = await answering.answer(call.model, call.key, question)
        except TimeoutError:
            # No retry after a timeout: the model had enough time.
            raise ModelUnavailable(
                f"{call.model} gave no answer within {seconds:.3g} s. It may be loading "
                "still, or be too slow for this (models.answer_seconds_max)",
                model_id=str(call.model.id),
            ) from None
        # Charged even if the answer turns out useless: it was paid for.
        await self._spend(
            call,
            Usage(
                calls=1,
                input_tokens=reply.input_tokens,
                output_tokens=reply.output_tokens,
            ),
        )
        return reply

    async def _check_budget(self, call: _ModelCall) -> None:
        """Check the budget before a request; concurrent ones may exceed it slightly."""
        memory = await self.memories.get(call.tenant)
        budget = memory.preferences.daily_token_budget
        if not budget:
            return
        spent = await self.store.spent(call.tenant, self.today)
        if spent >= budget:
            raise ModelExhausted(
                f"{call.model} is not asked: {spent} tokens were used today (UTC), and "
                f"daily_token_budget is {budget}. Wait until tomorrow, or raise it: "
                "festinger config set daily_token_budget NUMBER",
                model_id=str(call.model.id),
            )

    def _pause(self, attempt: int, after: float | None) -> float | None:
        """Return the seconds until the next attempt; None if they are too many."""
        # Longer than anybody waits; the background workers come back later.
        if after is not None and after > PAUSE_SECONDS_MAX:
            return None
        longest: float = min(PAUSE_SECONDS_MAX, PAUSE_SECONDS * 2 ** (attempt - 1))
        # Jitter spreads the retries of callers that failed together.
        return (after or 0.0) + self.jitter() * longest

    async def _spend(
        self,
        call: _ModelCall,
        usage: Usage,
        *,
        answered: float | None = None,
        error: str = "",
    ) -> None:
        await self.store.spend(
            call.tenant,
            call.model.id,
            call.purpose,
            usage,
            self.today,
            answered=answered,
            error=error,
        )


@dataclass(frozen=True, slots=True)
class _ModelCall:
    """Parameters of a question that stay the same over all attempts."""

    tenant: str
    model: Model
    purpose: Purpose
    limits: Limits
    key: SecretStr | None = None
