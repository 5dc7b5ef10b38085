"""ConfigService: a tenant's settings and language models."""

from __future__ import annotations

from datetime import timedelta

import structlog
from pydantic import SecretStr

from festinger.api.v1 import config_service_pb2 as pb
from festinger.api.v1 import model_pb2
from festinger.api.v1.config_service_pb2_grpc import ConfigServiceServicer
from festinger.core.system.models import CHOOSING, Model, Provider
from festinger.core.system.preferences import Preferences
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.fields import members_of, message_of, to_time
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system.callers import CALLER, Context, seconds_left
from festinger.services.system.models import Models, hint_of
from festinger.services.system.settings import Setting, change_setting, list_settings
from festinger.services.world.memory import Memories

log = structlog.get_logger(__name__)

KEY_CHARACTERS_MAX = 64
VALUE_CHARACTERS_MAX = 200
NAME_CHARACTERS_MAX = 200
URL_CHARACTERS_MAX = 500
TEST_SHARE = 0.9
"""Share of a call's time limit that a model has to answer; the rest is for reporting
that it did not."""

_PROVIDERS = members_of(model_pb2.Model.Provider, Provider)


class ConfigServicer(TenantServicer, ConfigServiceServicer):
    """Servicer that reads and changes settings and models.

    Args:
        seconds_max: Maximum duration of a call, in seconds.
    """

    def __init__(
        self, memories: Memories, models: Models, *, seconds_max: float
    ) -> None:
        super().__init__(memories)
        self._models = models
        self._seconds_max = seconds_max

    async def ListSettings(
        self, request: pb.ListSettingsRequest, context: Context
    ) -> pb.ListSettingsResponse:
        """Return the settings, ordered by key."""
        tenant, _ = await self._opened()
        settings = await list_settings(self._models.store, tenant)
        return pb.ListSettingsResponse(settings=map(_to_setting, settings))

    async def UpdateSetting(
        self, request: pb.UpdateSettingRequest, context: Context
    ) -> pb.UpdateSettingResponse:
        """Change a setting; it is in force when the call returns."""
        tenant, _ = await self._opened()
        text = request.value if request.HasField("value") else None
        setting = await change_setting(
            self._models.store,
            self._memories,
            tenant,
            convert.checked(request.key, "key", KEY_CHARACTERS_MAX),
            # None resets to the default, an empty text is a value.
            text and convert.checked(text, "value", VALUE_CHARACTERS_MAX),
            now=self._models.asker.now,
        )
        _tell("setting_changed", key=setting.key, value=setting.value)
        return pb.UpdateSettingResponse(setting=_to_setting(setting))

    async def ListModels(
        self, request: pb.ListModelsRequest, context: Context
    ) -> pb.ListModelsResponse:
        """Return the models, oldest first."""
        tenant, preferences = await self._opened()
        models = await self._models.list(tenant)
        return pb.ListModelsResponse(
            models=[_to_model(model, preferences) for model in models]
        )

    async def CreateModel(
        self, request: pb.CreateModelRequest, context: Context
    ) -> pb.CreateModelResponse:
        """Add a model, and encrypt its key."""
        tenant, preferences = await self._opened()
        provider = _PROVIDERS.get(request.provider)
        if provider is None:
            raise InvalidArgument(
                f"say whose model it is: {', '.join(Provider)}", field="provider"
            )
        # Hidden in tracebacks and logs from here on (F3).
        key = SecretStr(request.api_key) if request.api_key else None
        # The idempotency log stores no more of a key than its hint, which may be read.
        hinted = pb.CreateModelRequest()
        hinted.CopyFrom(request)
        hinted.api_key = hint_of(key)
        model = await self._models.add(
            tenant,
            provider,
            convert.checked(request.model_name, "model_name", NAME_CHARACTERS_MAX),
            key=key,
            base_url=convert.checked(request.base_url, "base_url", URL_CHARACTERS_MAX),
            request=convert.request_key(hinted, CALLER.get()),
        )
        _tell("model_added", model=model.id, provider=provider, name=model.name)
        return pb.CreateModelResponse(model=_to_model(model, preferences))

    async def DeleteModel(
        self, request: pb.DeleteModelRequest, context: Context
    ) -> pb.DeleteModelResponse:
        """Remove a model and its key."""
        tenant, _ = await self._opened()
        await self._models.remove(tenant, request.model_id)
        _tell("model_removed", model=request.model_id)
        return pb.DeleteModelResponse()

    async def TestModel(
        self, request: pb.TestModelRequest, context: Context
    ) -> pb.TestModelResponse:
        """Test a model by asking it for one word."""
        tenant, preferences = await self._opened()
        trial = await self._models.test(
            tenant,
            request.model_id,
            TEST_SHARE * seconds_left(context, self._seconds_max),
        )
        return pb.TestModelResponse(
            model=_to_model(trial.model, preferences),
            # A model's failure is the result of a test, and no error.
            answered=not trial.error,
            error=trial.error,
            duration=timedelta(seconds=trial.seconds),
        )

    async def RotateKeys(
        self, request: pb.RotateKeysRequest, context: Context
    ) -> pb.RotateKeysResponse:
        """Encrypt all keys of the tenant anew."""
        tenant, _ = await self._opened()
        # All or nothing: a key that cannot be read leaves the others as they are.
        count = await self._models.rotate(tenant)
        _tell("keys_rotated", count=count)
        return pb.RotateKeysResponse(key_count=count)

    async def _opened(self) -> tuple[str, Preferences]:
        """Return the caller's tenant and its preferences, loading its memory."""
        memory = await self._memories.get(CALLER.get().tenant)
        return memory.tenant, memory.preferences


def _tell(event: str, **values: object) -> None:
    caller = CALLER.get()
    log.info(event, tenant=caller.tenant, principal=caller.principal, **values)


def _to_setting(setting: Setting) -> pb.Setting:
    return message_of(
        pb.Setting,
        setting,
        default_value=setting.default,
        description=setting.text,
        update_time=to_time(setting.changed),
    )


def _to_model(model: Model, preferences: Preferences) -> model_pb2.Model:
    return message_of(
        model_pb2.Model,
        model,
        model_name=model.name,
        api_key_hint=model.key_hint,  # the last four characters
        purposes=[
            f"PURPOSE_{purpose.name}"
            for purpose, key in CHOOSING.items()
            # A model that a setting chooses cannot be removed.
            if getattr(preferences, key) == model.id
        ],
        usage_today=[
            message_of(model_pb2.Model.Usage, usage, purpose=f"PURPOSE_{purpose.name}")
            for purpose, usage in model.today.items()
        ],
    )
