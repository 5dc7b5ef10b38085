"""The settings one by one: what they are, and which of them a running process takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from festinger.config.notation import Key
from festinger.config.settings import Settings

FIXED: Final[frozenset[Key]] = frozenset(
    {
        ("data_dir",),
        ("server",),
        ("database",),
        ("dictionary",),
        ("log",),
        ("models",),
        ("chat",),
        ("shim", "address"),
        ("shim", "trusted_network"),
        ("shim", "header_seconds_max"),
        ("shim", "tenant"),
    }
)
"""What holds until a restart: sockets, connections and what was loaded by them."""


class SettingValue(NamedTuple):
    """A setting.

    Attributes:
        text: What it is for.
        default: What it is if nobody says.
    """

    key: Key
    value: Any
    text: str
    default: Any


class ChangedSetting(NamedTuple):
    """A setting that another configuration has otherwise.

    Attributes:
        live: Whether a running process takes it.
    """

    key: Key
    live: bool


def values(section: BaseModel, above: Key = ()) -> Iterator[SettingValue]:
    """The settings of a section, those of its own sections included, in order."""
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from values(value, (*above, name))
        else:
            default = field.get_default(call_default_factory=True, validated_data={})
            yield SettingValue((*above, name), value, field.description or "", default)


def changes(old: Settings, new: Settings) -> list[ChangedSetting]:
    """What a new configuration has otherwise."""
    before = {each.key: each.value for each in values(old)}
    return [
        ChangedSetting(each.key, is_live(each.key))
        for each in values(new)
        if each.value != before.get(each.key)
    ]


def is_live(key: Key) -> bool:
    """Whether a running process takes a setting when its file changes."""
    return not any(key[: len(fixed)] == fixed for fixed in FIXED)
