"""Commands for tenants, and the directory of their servers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from festinger.cli.application import application
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG, DATA_DIR, DSN, options, settings
from festinger.cli.system.supervising import supervised
from festinger.config import ServerSettings

ANY = "any"
"""Stands for no server in particular."""


def _server(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return a server's name; empty for `any`."""
    if value == ANY:  # `any` in the command, empty in the table
        return ""
    try:
        # The rule for a name is that of the setting which a server gets it from.
        return ServerSettings(name=value).name
    except ValidationError:
        raise click.BadParameter(
            "write the server.name of a server, letters, digits and . _ : -, or any"
        ) from None


@click.group()
def tenant() -> None:
    """Add memories, one for each tenant, and say which server serves them."""


@tenant.command()
@click.argument("name")
@options(CONFIG, DATA_DIR, DSN)
def add(name: str, config_file: Path | None, **values: Any) -> None:
    """Make a memory of that NAME."""
    made = supervised(application("add_tenant")(settings(config_file, **values), name))
    click.echo(f"added {name}" if made else f"{name} was there already")


@tenant.command("list")
@options(CONFIG, DATA_DIR, DSN)
@JSON
def list_(config_file: Path | None, as_json: bool, **values: Any) -> None:
    """List the memories, each with the server that it is assigned to.

    The lines are those of a map for HAProxy.
    """
    directory = supervised(application("directory")(settings(config_file, **values)))
    for name, server in directory.items():
        if as_json:
            print_json({"name": name, "server": server})
        else:
            click.echo(f"{name} {server or ANY}")  # a map has a value in each line


@tenant.command()
@click.argument("name")
@click.argument("server", callback=_server)
@options(CONFIG, DATA_DIR, DSN)
def assign(name: str, server: str, config_file: Path | None, **values: Any) -> None:
    """Have the SERVER of this name (server.name) serve a memory, or `any` server.

    The others refuse its calls within a second; what they accepted before is written.
    """
    using = settings(config_file, **values)
    supervised(application("assign_tenant")(using, name, server))
    click.echo(f"{server or ANY} serves {name}")


@tenant.command()
@click.argument("source", callback=_server)
@click.argument("target", callback=_server)
@options(CONFIG, DATA_DIR, DSN)
def move(source: str, target: str, config_file: Path | None, **values: Any) -> None:
    """Have the server TARGET serve all memories that are assigned to SOURCE."""
    using = settings(config_file, **values)
    moved = supervised(application("move_tenants")(using, source, target))
    for name in moved:
        click.echo(f"{target or ANY} serves {name}")
    if not moved:
        click.echo(f"no memory is assigned to {source or ANY}")
