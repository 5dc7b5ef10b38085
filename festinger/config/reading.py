"""Reads the configuration, and remembers where each value was written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from festinger.config.addresses import without_password
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

Key = tuple[str, ...]
"""The way to a setting: ("shim", "upstream")."""

SECRET: Final[frozenset[Key]] = frozenset(
    {
        ("database", "dsn"),
        ("models", "keys"),
        ("chat", "matrix", "token"),
        ("chat", "slack", "bot_token"),
        ("chat", "slack", "signing_secret"),
        ("chat", "webhook", "secret"),
    }
)
"""What is never printed, not even where it is wrong."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration, and where it comes from.

    Attributes:
        origins: Where each setting that is no default was written: `FILE:LINE`, the
            name of a variable, or `the command line`.
    """

    settings: Settings
    origins: Mapping[Key, str]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a configuration comes from, so that it can be read again.

    Attributes:
        file: A YAML file, if there is one.
        overrides: Nested values that win over everything.
    """

    file: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def read(self) -> Settings:
        """Reads it.

        Raises:
            ConfigurationError: It is not valid.
        """
        return load(self.file, self.overrides)


def load(
    file: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """Reads the configuration: defaults, then the file, environment, overrides.

    Args:
        file: A YAML file. Must exist if given.
        overrides: Nested values that win over everything, as from a command line;
            `None` values are ignored.
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
) -> Loaded:
    """As `load`, and says where each value comes from."""
    values: dict[str, Any] = {}
    origins: dict[Key, str] = {}
    if file:
        root, written = _parse(file)
        _merge(values, written)
        for key, line in _lines(root):
            origins[key] = f"{file}:{line}"
    for name, key, value in _variables(environment):
        _put(values, key, value)
        origins[key] = name
    _merge(values, overrides or {})
    for key in _leaves(overrides or {}):
        origins[key] = "the command line"
    try:
        return Loaded(Settings.model_validate(values), origins)
    except ValidationError as error:
        raise ConfigurationError(_explain(error.errors()[0], origins)) from None


def _parse(file: Path) -> tuple[yaml.Node | None, dict[str, Any]]:
    """A file as nodes, which know their lines, and as values."""
    try:
        loader = yaml.SafeLoader(file.read_text(encoding="utf-8"))
        root = loader.get_single_node()
        written = loader.construct_document(root) if root else None
    except OSError as error:
        raise ConfigurationError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file} is not UTF-8: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        # Not the whole message: it quotes the line, which may hold a password.
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigurationError(
            f"{file}{line} is not YAML: {error.problem or error.context}"
        ) from None
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{file} is not YAML: {error}") from None
    if written is not None and not isinstance(written, dict):
        raise ConfigurationError(f"{file} must hold keys and values, as in `server:`")
    return root, written or {}


def _lines(node: yaml.Node | None, above: Key = ()) -> Iterator[tuple[Key, int]]:
    """The line of each key, from 1."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            key = (*above, str(name.value))
            yield key, name.start_mark.line + 1
            yield from _lines(value, key)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            key = (*above, str(number))
            yield key, value.start_mark.line + 1
            yield from _lines(value, key)


def _variables(environment: Mapping[str, str]) -> Iterator[tuple[str, Key, Any]]:
    """The variables that are settings: their names, keys and values."""
    sections = {name.upper() for name in Settings.model_fields}
    for name, value in environment.items():
        if not name.startswith(PREFIX) or not value:
            continue
        short = name.removeprefix(PREFIX)
        first, *_ = levels = short.split("__")
        if len(levels) > 1 and first in sections:
            key = tuple(level.lower() for level in levels)
            yield name, key, _scalar(name, value)
        elif short in SHORT_NAMES:
            yield name, SHORT_NAMES[short], value


def _scalar(name: str, value: str) -> Any:
    try:
        return yaml.safe_load(value)
    except yaml.YAMLError:
        raise ConfigurationError(f"{name} is not a value as YAML has them") from None


def _put(values: dict[str, Any], key: Key, value: Any) -> None:
    for level in key[:-1]:
        section = values.get(level)
        values[level] = values = section if isinstance(section, dict) else {}
    values[key[-1]] = value


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> None:
    for key, value in over.items():
        if isinstance(value, Mapping):
            # A section that is there but empty, as in `server:`, is a None.
            section = dict(base.get(key) or {})
            _merge(section, value)
            base[key] = section
        elif value is not None:
            base[key] = value


def _leaves(values: Mapping[str, Any], above: Key = ()) -> Iterator[Key]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, name))
        elif value is not None:
            yield (*above, name)


def _explain(error: ErrorDetails, origins: Mapping[Key, str]) -> str:
    """What is wrong with a setting, where it was written, and why."""
    key = tuple(str(part) for part in error["loc"])
    # A missing key has no place of its own; the section around it has.
    around = (key[:length] for length in range(len(key), 0, -1))
    where = next((origins[each] for each in around if each in origins), "")
    place = f"{where}: " if where else ""
    name = ".".join(key)
    if error["type"] == "extra_forbidden":
        return (
            f"{place}there is no setting {name!r}. `festinger check --explain` prints "
            "all of them"
        )
    # What is written there may hold a password, or a key.
    hidden = key[0] == "database" or any(
        key == secret[: len(key)] or secret == key[: len(secret)] for secret in SECRET
    )
    shown = "" if hidden else f" (it is {error['input']!r})"
    shown = without_password(shown)
    return f"{place}{name}: {error['msg'].removeprefix('Value error, ')}{shown}"
