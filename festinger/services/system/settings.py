"""Settings that a tenant may change at run time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from festinger.core.system.preferences import Preferences, explanations, read_setting
from festinger.errors import InvalidArgument, SettingNotFound
from festinger.services.world.memory import Memories
from festinger.store.system.models import PostgresModels


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a tenant.

    Attributes:
        value: The current value.
        default: The value if it is not set.
        text: Description of the setting and its values.
        changed: When it was changed, in seconds since the epoch; None if never.
    """

    key: str
    value: str
    default: str
    text: str
    changed: float | None


async def list_settings(store: PostgresModels, tenant: str) -> list[Setting]:
    """Return all settings, by key."""
    # Invalid rows count as unset, as they do where settings are used.
    rows = await store.settings(tenant)
    preferences, _ = Preferences.from_rows(
        {key: value for key, (value, _) in rows.items()}
    )
    in_force, defaults = preferences.rows(), Preferences().rows()
    texts = explanations()
    return [
        Setting(
            key, in_force[key], defaults[key], texts[key], rows.get(key, ("", None))[1]
        )
        for key in sorted(in_force)
    ]


async def change_setting(
    store: PostgresModels,
    memories: Memories,
    tenant: str,
    key: str,
    text: str | None,
    *,
    now: Callable[[], float],
) -> Setting:
    """Change a setting with immediate effect, or reset it to its default.

    Args:
        text: New value; None for the default.

    Raises:
        SettingNotFound: There is no such key.
        InvalidArgument: The value is invalid.
        ModelNotFound: The value names a model that does not exist.
    """
    defaults = Preferences().rows()
    if key not in defaults:
        raise SettingNotFound(
            f"there is no setting {key[:80]!r}. See: festinger config", key=key[:80]
        )
    try:
        # Stored as it is read, so that `ON` and `on` are one value.
        value = defaults[key] if text is None else str(read_setting(key, text))
    except ValueError as error:
        raise InvalidArgument(f"{key}: {error}", field="value") from None
    # A reset stores the default without a time, as if it had never been changed.
    await store.change_setting(tenant, key, value, None if text is None else now())
    # At once: other servers read it with their next flush.
    await memories.read_settings(tenant)
    settings = await list_settings(store, tenant)
    return next(setting for setting in settings if setting.key == key)
