"""`festinger check`: the configuration that is in force, and where it was said."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from textwrap import wrap
from typing import Any

import click
import yaml

from festinger import config
from festinger.cli.options import (
    CONFIG,
    DATA_DIR,
    DSN,
    SERVER,
    SHIM,
    UPSTREAM,
    options,
    source,
)

_WIDTH = 72
_SECRET = ("database", "dsn")


@click.command()
@options(CONFIG, DATA_DIR, UPSTREAM, SHIM, SERVER, DSN)
@click.option("--explain", is_flag=True, help="Say what each setting is for.")
def check(config_file: Path | None, explain: bool, **values: Any) -> None:
    """Check the configuration, and print what is in force as YAML.

    Behind each value that is no default stands where it was written. What is wrong is
    told with its line, and the exit code is 1.
    """
    origin = source(config_file, **values)
    loaded = config.read(origin.file, origin.overrides)
    for line in _lines(loaded, explain=explain):
        click.echo(line)


def _lines(loaded: config.Loaded, *, explain: bool) -> Iterator[str]:
    section: tuple[str, ...] = ()
    for key, value, text, default in config.values(loaded.settings):
        for depth, name in enumerate(key[:-1]):
            if key[: depth + 1] != section[: depth + 1]:
                yield f"{'  ' * depth}{name}:"
        section = key[:-1]
        indent = "  " * len(section)
        if explain:
            live = "" if config.is_live(key) else " Changes need a restart."
            shown = f" Default: {_written(default)}."
            for line in wrap(f"{' '.join(text.split())}{shown}{live}", _WIDTH):
                yield f"{indent}# {line}"
        where = loaded.origins.get(key, "")
        written = "(set, not shown)" if key == _SECRET and value else _written(value)
        written = config.without_password(written)
        yield f"{indent}{key[-1]}: {written}{f'  # {where}' if where else ''}"


def _written(value: Any) -> str:
    """A value as YAML has it, on one line."""
    plain = _plain(value)
    text = yaml.safe_dump(plain, default_flow_style=True, width=10**9)
    return text.removesuffix("\n").removesuffix("\n...")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, config.Caller | config.UpstreamSettings):
        return value.model_dump(mode="json")
    if isinstance(value, Path):
        return str(value)
    return value.value if isinstance(value, Enum) else value
