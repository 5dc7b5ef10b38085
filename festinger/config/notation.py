"""YAML parsing for configurations, with line numbers in the errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from festinger.config.sections import Key
from festinger.errors import ConfigurationError

# The names that YAML's messages quote come from the file, and may be part of a password.
_QUOTED: Final = re.compile(r"(alias|anchor|handle|tag) '.*'")


def parse(file: Path) -> tuple[dict[str, Any], dict[Key, int]]:
    """Parse a file, and return its values and the line of each key, from 1.

    Raises:
        ConfigurationError: It cannot be read, or does not hold keys and values.
    """
    try:
        # Parsed to nodes first, which know their lines; values do not.
        loader = _Loader(file.read_text(encoding="utf-8"))
        root = loader.get_single_node()
        lines = dict(_lines(root))
        written = loader.construct_document(root) if root else {}
        if isinstance(written, dict):
            return _given(written), lines
    except OSError as error:
        raise ConfigurationError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file} is not UTF-8: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        # The full message would quote the line.
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        problem = _QUOTED.sub(r"\1", error.problem or error.context or "")
        raise ConfigurationError(f"{file}{line} is not YAML: {problem}") from None
    # Such as a character that YAML forbids.
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{file} is not YAML: {error}") from None
    except RecursionError:
        raise ConfigurationError(
            f"{file} is nested too deeply, or something in it within itself"
        ) from None
    raise ConfigurationError(f"{file} must hold keys and values, as in `server:`")


def scalar(name: str, value: str) -> Any:
    """Parse the value of an environment variable."""
    try:
        return yaml.load(value, _Loader)
    except (yaml.YAMLError, RecursionError):
        raise ConfigurationError(f"{name} is not a value as YAML has them") from None


class _Loader(yaml.SafeLoader):
    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Construct a value; any error of its conversion is reported with its line."""
        try:
            return super().construct_object(node, deep)
        # What `2026-13-45` raises, for instance, which YAML reads as a date.
        except (ArithmeticError, AttributeError, LookupError, ValueError):
            # The last part of `tag:yaml.org,2002:timestamp`.
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(
                problem=f"what looks like a value of type {kind} is none. Write it in "
                "quotes if it is a text",
                problem_mark=node.start_mark,
            ) from None


def _lines(node: yaml.Node | None, above: Key = ()) -> Iterator[tuple[Key, int]]:
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


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Remove the keys without a value, as in `server:`, so that defaults hold."""
    return {
        key: _given(value) if isinstance(value, Mapping) else value
        for key, value in values.items()
        if value is not None
    }
