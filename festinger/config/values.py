"""Enumeration and comparison of the settings of a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from festinger.config.sections import Key, descriptions
from festinger.config.settings import Settings

FIXED: Final[frozenset[Key]] = frozenset(
    {
        ("data_dir",),
        ("server",),  # its socket
        ("database",),  # its connections
        ("dictionary",),
        ("log",),
        ("models",),
        ("chat",),
        ("shim", "address"),  # its socket
        ("shim", "header_seconds_max"),
        ("shim", "tenant"),
    }
)
"""Settings that take effect at a restart only, such as sockets and connections."""

LIVE: Final[frozenset[Key]] = frozenset(
    {("server", "limits"), ("server", "tenant_limits")}
)
"""Exceptions from them, which take effect at once."""


class SettingValue(NamedTuple):
    """A setting with its value.

    Attributes:
        section: The section that it is in.
        default: Its default value.
    """

    section: type[BaseModel]
    key: Key
    value: Any
    default: Any

    @property
    def text(self) -> str:
        """Its description."""
        return descriptions(self.section).get(self.key[-1], "")


def values(section: BaseModel, above: Key = ()) -> Iterator[SettingValue]:
    """Yield the settings of a section and of its subsections, in order."""
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        # A section is no setting itself: those in it are listed.
        if isinstance(value, BaseModel):
            yield from values(value, (*above, name))
        else:
            # Some defaults are computed, such as that of `data_dir`.
            default = field.get_default(call_default_factory=True, validated_data={})
            yield SettingValue(type(section), (*above, name), value, default)


def changes(old: Settings, new: Settings) -> list[Key]:
    """Return the settings whose value differs in a new configuration."""
    before = {each.key: each.value for each in values(old)}
    return [it.key for it in values(new) if it.value != before.get(it.key)]


def is_live(key: Key) -> bool:
    """Return whether a running process takes a setting when its file changes."""
    # The exceptions win, since they lie within fixed sections.
    return _is_in(key, LIVE) or not _is_in(key, FIXED)


def _is_in(key: Key, sections: Iterable[Key]) -> bool:
    """Return whether a setting, or a section that it is in, is named."""
    # ("shim",) names all settings of the shim.
    return any(key[: len(section)] == section for section in sections)
