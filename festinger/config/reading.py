"""Loading of the configuration, with the origin of each value."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from festinger.config.addresses import without_password
from festinger.config.sections import Key
from festinger.config.settings import Settings
from festinger.errors import ConfigurationError

PREFIX: Final = "FESTINGER_"

SHORT_NAMES: Final = {
    "DATA_DIR": ("data_dir",),
    "UPSTREAM": ("shim", "upstream"),
    "SHIM": ("shim", "address"),
    "SERVER": ("server", "address"),
    "DSN": ("database", "dsn"),
    "KEYS": ("models", "keys"),
}

SECRET: Final[frozenset[Key]] = frozenset(
    {
        ("database", "dsn"),
        ("database", "pooler"),
        ("models", "keys"),
        ("chat", "matrix", "token"),
        ("chat", "slack", "bot_token"),
        ("chat", "slack", "signing_secret"),
        ("chat", "webhook", "secret"),
    }
)
"""Settings that are never printed, not even in an error about them."""

_TOKENS: Final = (
    "on an address beyond loopback every caller needs a token. Remove the setting; "
    "processes that share the data directory find its tokens there, and others get one "
    "in a file: see docs/how-to/security.md"
)
REMOVED: Final = {
    "server.trusted_network": _TOKENS,
    "shim.trusted_network": _TOKENS,
    "server.callers": "`festinger system tokens create NAME` makes a token, in the data "
    "directory. Remove the setting",
    "chat.trusted_network": "what they receive is signed, and beyond loopback the bots "
    "listen encrypted, by chat.tls, unless chat.plain_text: true permits otherwise. "
    "Remove the setting",
}
"""Former settings, with what replaces each."""


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """A configuration with the origins of its values.

    Attributes:
        origins: The origin of each setting that is not a default: `FILE:LINE`, the
            name of a variable, or `the command line`.
    """

    settings: Settings
    origins: Mapping[Key, str]


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """Source of a configuration, from which it can be read again.

    Attributes:
        file: The YAML file, if any.
        overrides: Nested values that take precedence over everything else.
    """

    file: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def read(self) -> Settings:
        """Read the configuration.

        Raises:
            ConfigurationError: It is not valid.
        """
        return load(self.file, self.overrides)


def load(
    file: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """Read the configuration: defaults, then the file, environment and overrides.

    Args:
        file: A YAML file. Must exist if given.
        overrides: Nested values that take precedence over everything else, as from a
            command line; `None` values are ignored.
        environment: Variables, normally the process's own.

    Raises:
        ConfigurationError: It is not valid; the message names the key, where it was
            written, and why.
    """
    return read(file, overrides, environment).settings


def read(
    file: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> LoadedConfig:
    """Read the configuration as `load` does, with the origin of each value."""
    values: dict[str, Any] = {}
    origins: dict[Key, str] = {}
    if file:
        # YAML takes time to import, which a process without a file need not spend.
        from festinger.config.notation import parse

        values, lines = parse(file)
        origins = {key: f"{file}:{line}" for key, line in lines.items()}
    # Later sources replace single values of earlier ones, and whole lists.
    for name, key, value in _variables(environment):
        _put(values, key, value, name, origins)
    for key, value in _leaves(overrides or {}):
        _put(values, key, value, "the command line", origins)
    try:
        return LoadedConfig(Settings.model_validate(values), origins)
    except ValidationError as error:
        raise ConfigurationError(_explain(error.errors()[0], origins)) from None


def _variables(environment: Mapping[str, str]) -> Iterator[tuple[str, Key, Any]]:
    """Yield the variables that are settings: their names, keys and values."""
    # Other variables begin with `FESTINGER_` too, such as `FESTINGER_PG_BIN`.
    sections = {name.upper() for name in Settings.model_fields}
    for name, value in environment.items():
        # Compose files pass a variable that is not set as an empty one.
        if not name.startswith(PREFIX) or not value:
            continue
        short = name.removeprefix(PREFIX)
        first, *_ = levels = short.split("__")
        if len(levels) > 1 and first in sections:
            # YAML is loaded where something is written in it.
            from festinger.config.notation import scalar

            key = tuple(level.lower() for level in levels)
            yield name, key, scalar(name, value)
        elif short in SHORT_NAMES:
            yield name, SHORT_NAMES[short], value


def _put(
    values: dict[str, Any],
    key: Key,
    value: Any,
    origin: str,
    origins: dict[Key, str],
) -> None:
    """Set a value that comes from outside the file."""
    for depth, level in enumerate(key[:-1], 1):
        section = values.get(level)
        # A section that nothing is written in, or `server:` without a value.
        if section is None:
            section = values[level] = {}
        if not isinstance(section, dict):
            raise ConfigurationError(
                f"{_place(key[:depth], origins)}{'.'.join(key[:depth])} is a value, "
                f"and {origin} sets {'.'.join(key)}: it must hold keys and values"
            )
        values = section
    values[key[-1]] = value
    origins[key] = origin


def _leaves(values: Mapping[str, Any], above: Key = ()) -> Iterator[tuple[Key, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, name))
        elif value is not None:
            yield (*above, name), value


def _place(key: Key, origins: Mapping[Key, str]) -> str:
    # A missing key has no origin of its own; the section around it has.
    # From the key itself outwards.
    around = (key[:length] for length in range(len(key), 0, -1))
    where = next((origins[each] for each in around if each in origins), "")
    return f"{where}: " if where else ""


def _explain(error: ErrorDetails, origins: Mapping[Key, str]) -> str:
    """Return a message with the origin, the name and the error of a setting."""
    key = tuple(str(part) for part in error["loc"])
    place, name = _place(key, origins), ".".join(key)
    if error["type"] == "extra_forbidden":
        # Settings of older versions get the reason why they are gone.
        if name in REMOVED:
            return f"{place}{name} is gone: {REMOVED[name]}"
        return (
            f"{place}there is no setting {name!r}. `festinger check --explain` prints "
            "all of them"
        )
    # The value may contain a password or a key.
    # In both directions: an error about a section has all of its values as its input.
    hidden = key[0] == "database" or any(
        key == secret[: len(key)] or secret == key[: len(secret)] for secret in SECRET
    )
    shown = "" if hidden else f" (it is {error['input']!r})"
    # Other settings may hold a URL with a password, as `shim.upstream` does.
    shown = without_password(shown)
    # Pydantic writes it in front of our own messages.
    reason = error["msg"].removeprefix("Value error, ")
    if error["type"] == "model_type":
        reason = "must hold keys and values, as in `server: {calls_max: 64}`"
    return f"{place}{name}: {reason}{shown}"
