"""Page of a tenant's settings, which apply at once, and of its models."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import config_service_pb2 as pb
from festinger.console.context import PathRoute, RequestContext
from festinger.console.enum_names import PROVIDERS
from festinger.console.errors import PageRefused
from festinger.console.server import TEST_SECONDS

CHOICES: Final = {
    "resolve": ("resolve_model_id", "Resolving: settles conflicts"),
    "extract": ("extract_model_id", "Extracting: reads memories out of conversations"),
    "guess": ("guess_model_id", "Guessing: says what an ambiguous sentence states"),
    "dream": ("dream_model_id", "Dreaming: looks into what people rejected or left"),
}
"""The purposes of models, with their settings and descriptions."""

KEPT: Final = ("provider", "model_name", "base_url")
"""Form fields of a new model that are kept when it is refused, without the key."""


@dataclass(frozen=True, slots=True)
class SettingsResult:
    """Result of an action.

    Attributes:
        about: The target: a setting's key, `model-NUMBER` or `new-model`.
        text: The message.
        good: Whether the action succeeded.
    """

    about: str
    text: str
    good: bool = False


async def change(context: RequestContext) -> web.Response:
    """Change a setting, or reset it to its default."""
    key = context.path_params["name"]
    request = pb.UpdateSettingRequest(key=key)
    # Without a value the setting gets its default back.
    if not context.field("reset"):
        request.value = context.field("value")
    return await _done(context, request, key)


async def add(context: RequestContext) -> web.Response:
    """Add a model."""
    request = pb.CreateModelRequest(
        # An unknown word becomes 0, which the server refuses.
        provider=PROVIDERS.get(context.field("provider"), 0),
        **context.fields("model_name", "api_key", "base_url"),
        # Each press of the button is a call of its own.
        request_id=str(uuid.uuid4()),
    )
    return await _done(context, request, "new-model")


async def remove(context: RequestContext) -> web.Response:
    """Remove a model and its key."""
    request = pb.DeleteModelRequest(model_id=context.number())
    return await _done(context, request, _named(context))


async def choose(context: RequestContext) -> web.Response:
    """Choose a model for a purpose, or none."""
    purpose = context.field("purpose")
    if purpose not in CHOICES:
        raise PageRefused(400, f"choose it for: {', '.join(CHOICES)}")
    # A purpose is a setting that holds the number of the model.
    key, _ = CHOICES[purpose]
    request = pb.UpdateSettingRequest(key=key)
    # Without a value no model does it any more, and the task rests.
    if not context.field("rest"):
        request.value = str(context.number())
    return await _done(context, request, _named(context))


async def test(context: RequestContext) -> web.Response:
    """Test a model with a minimal prompt, and show the result."""
    request = pb.TestModelRequest(model_id=context.number())
    about = _named(context)
    try:
        tried = await context.ask(request, TEST_SECONDS)
    except PageRefused as refusal:
        return await shown(context, refusal.status, SettingsResult(about, str(refusal)))
    # The call succeeded, but the model did not.
    if not tried.answered:
        return await shown(context, 200, SettingsResult(about, tried.error))
    took = tried.duration.ToTimedelta().total_seconds()
    answer = SettingsResult(about, f"it answered in {took:.1f} s", good=True)
    return await shown(context, 200, answer)


async def _done(context: RequestContext, request: Any, about: str) -> web.Response:
    try:
        await context.ask(request)
    except PageRefused as refusal:
        return await shown(context, refusal.status, SettingsResult(about, str(refusal)))
    # `done` names the setting beside which the page says that it was changed.
    return context.go("/admin/settings", done=about)


async def shown(
    context: RequestContext, status: int = 200, answer: SettingsResult | None = None
) -> web.Response:
    """Show all settings and models."""
    settings, models = await asyncio.gather(
        context.ask(pb.ListSettingsRequest()), context.ask(pb.ListModelsRequest())
    )
    return context.page(
        "settings.html",
        status,
        settings=settings.settings,
        models=models.models,
        providers=list(PROVIDERS),
        choices=CHOICES,
        answer=answer,
        # A refused form keeps what was typed; the key is never sent back to the browser.
        said=context.fields(*KEPT),
        value=context.field("value"),
        done=context.query("done"),
    )


def _named(context: RequestContext) -> str:
    return f"model-{context.number()}"


ROUTES: Final = (
    PathRoute("GET", "/admin/settings", shown),
    PathRoute("POST", "/admin/settings/{name}", change),
    PathRoute("POST", "/admin/models", add),
    PathRoute("POST", "/admin/models/{number}/remove", remove),
    PathRoute("POST", "/admin/models/{number}/choose", choose),
    PathRoute("POST", "/admin/models/{number}/test", test),
)
