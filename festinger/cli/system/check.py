"""`festinger check`: the effective configuration and the sources of its values."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from textwrap import wrap
from typing import Any

import click
import yaml

from festinger import config
from festinger.api.v1 import admin_service_pb2
from festinger.cli.calls import call
from festinger.cli.listing import JSON, print_json, print_message
from festinger.cli.options import (
    CONFIG,
    DATA_DIR,
    DSN,
    SERVER,
    SHIM,
    TENANT,
    UPSTREAM,
    options,
    source,
)

SECONDS = 600.0  # the longest that a server allows: it loads the memory a second time
_WIDTH = 72  # columns of the explanations


@click.command()
@options(CONFIG, DATA_DIR, UPSTREAM, SHIM, SERVER, DSN)
@options(TENANT)
@click.option("--explain", is_flag=True, help="Say what each setting is for.")
@click.option(
    "--world",
    is_flag=True,
    help="Compare what a running server remembers with its database instead.",
)
@JSON
def check(
    config_file: Path | None, explain: bool, world: bool, as_json: bool, **values: Any
) -> None:
    """Check the configuration, and print what is in force as YAML.

    Behind each value that is no default stands where it was written. What is wrong is
    told with its line, and the exit code is 1.

    With --world, check that the memory of a running server equals its database; where it
    does not, the exit code is 1 as well, and festinger system reload mends it.
    """
    if world:
        # The other options are about the configuration that is checked, not about a call.
        where = {key: values[key] for key in ("data_dir", "server", "tenant")}
        _check_world({"config_file": config_file, **where}, as_json=as_json)
        return
    del values["tenant"]  # it is no setting, and only chooses a running server's memory
    origin = source(config_file, **values)
    loaded = config.read(origin.file, origin.overrides)
    if as_json:
        print_json(
            {
                ".".join(it.key): _shown(it.key, _plain(it.value))
                for it in config.values(loaded.settings)
            }
        )
        return
    for line in _lines(loaded, explain=explain):
        click.echo(line)


def _check_world(values: dict[str, Any], *, as_json: bool) -> None:
    checked = call(values, admin_service_pb2.CheckWorldRequest(), seconds=SECONDS)
    if as_json:
        print_message(checked)
        raise SystemExit(bool(checked.differences))  # 1 if there are differences
    for difference in checked.differences:
        click.echo(difference)
    if checked.differences:
        click.echo(
            "The memory differs from its database. Mend it: festinger system reload"
        )
        raise SystemExit(1)
    click.echo(
        f"{values['tenant']}: {checked.row_count} rows are the same in memory and in "
        f"the database, at version {checked.version}"
    )


def _lines(loaded: config.LoadedConfig, *, explain: bool) -> Iterator[str]:
    section: tuple[str, ...] = ()
    for setting in config.values(loaded.settings):
        key = setting.key
        # A heading for each section that the setting before was not in.
        for depth, name in enumerate(key[:-1]):
            if key[: depth + 1] != section[: depth + 1]:
                yield f"{'  ' * depth}{name}:"
        section = key[:-1]
        indent = "  " * len(section)
        if explain:
            live = "" if config.is_live(key) else " Changes need a restart."
            shown = f" Default: {_written(setting.default)}."
            for line in wrap(f"{' '.join(setting.text.split())}{shown}{live}", _WIDTH):
                yield f"{indent}# {line}"
        where = loaded.origins.get(key, "")
        written = _written(_shown(key, _plain(setting.value)))
        yield f"{indent}{key[-1]}: {written}{f'  # {where}' if where else ''}"


def _shown(key: tuple[str, ...], value: Any) -> Any:
    """Return a value without its secrets."""
    if key in config.SECRET and value:
        return "(set, not shown)"
    return config.without_password(value) if isinstance(value, str) else value


def _written(value: Any) -> str:
    """Format a value as one line of YAML."""
    plain = _plain(value)
    text = yaml.safe_dump(  # one line, whatever its length
        plain, default_flow_style=True, width=10**9, allow_unicode=True
    )
    # YAML ends a bare scalar with `...`.
    return text.removesuffix("\n").removesuffix("\n...")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, config.PersonSettings | config.LimitSettings):
        # What people set: the defaults of each would hide it.
        return value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, config.UpstreamSettings):
        return value.model_dump(mode="json")
    if isinstance(value, Path):
        return str(value)
    return value.value if isinstance(value, Enum) else value
